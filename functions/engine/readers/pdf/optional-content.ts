/**
 * Optional content (PDF 32000-1, 8.11): layers that the file turns off are not on its pages. pdfium leaves them out where
 * it draws, but not where it tells of text. It does tell what the dictionary of a piece of marked content holds; so the
 * dictionaries of hidden layers get a mark of ours, in a copy of the file, and hidden forms lose their content.
 */
import {
  ParseSpeeds,
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  PDFStream,
  PDFString,
} from "@cantoo/pdf-lib";
import { FileObjects, inflate, inflateAt, objectStreams, pairsOf, rootNumber } from "./file-objects.ts";
import { HIDDEN_KEY, LONGEST_LAYER, type PdfDocument, withPdf } from "./pdf-document.ts";

const LAYERS = "/OCProperties";
/** Larger files are read as they are: a copy of them would take the memory of the process. */
const MOST_BYTES = 64_000_000;
/** Bytes of an object stream that have the numbers of its objects. */
const HEADER = 2_000;
/** Visibility expressions within each other. */
const DEEPEST = 20;

/** Whether the catalog names layers, wherever it stands: as an object of its own, or in a stream of objects. */
function namesLayers(file: Buffer): boolean {
  if (file.includes(LAYERS)) return true;
  if (!file.includes("/ObjStm")) return false;
  const root = rootNumber(file);
  if (root === undefined || file.includes(`\n${root} 0 obj`) || file.includes(`\r${root} 0 obj`)) return false;
  for (const { start } of objectStreams(file)) {
    const pairs = pairsOf(inflate(file.subarray(start, start + HEADER)));
    if (pairs.some((number, index) => index % 2 === 0 && number === root))
      return inflateAt(file, start).includes(LAYERS);
  }
  return false;
}

const nameIn = (dict: PDFDict | undefined, key: string): string | undefined => {
  const value = dict?.lookup(PDFName.of(key));
  return value instanceof PDFName ? value.decodeText() : undefined;
};

const dictIn = (dict: PDFDict | undefined, key: string): PDFDict | undefined => {
  const value = dict?.lookup(PDFName.of(key));
  return value instanceof PDFDict ? value : undefined;
};

const itemsIn = (dict: PDFDict | undefined, key: string): PDFObject[] => {
  const value = dict?.lookup(PDFName.of(key));
  return value instanceof PDFArray ? value.asArray() : [];
};

/** The states of a file's layers in its default configuration. */
class Layers {
  /** Whether all layers are on that are not named as off. */
  readonly base: boolean;
  readonly #context: PDFContext;
  readonly #on: Set<PDFObject>;
  readonly #off: Set<PDFObject>;

  constructor(context: PDFContext, properties: PDFDict) {
    const configuration = dictIn(properties, "D");
    this.#context = context;
    this.base = nameIn(configuration, "BaseState") !== "OFF";
    // References are one object each.
    this.#on = new Set(itemsIn(configuration, "ON"));
    this.#off = new Set(itemsIn(configuration, "OFF"));
  }

  get allShown(): boolean {
    return this.base && this.#off.size === 0;
  }

  /** Of a layer or a membership of layers; what is neither is shown. */
  isShown(object: PDFObject | undefined): boolean {
    const dict = object instanceof PDFRef ? this.#context.lookup(object) : object;
    if (!(dict instanceof PDFDict)) return true;
    if (nameIn(dict, "Type") === "OCMD") return this.#isMemberShown(dict);
    if (nameIn(dict, "Type") !== "OCG" || !(object instanceof PDFRef)) return true;
    if (this.#on.has(object)) return true;
    return !this.#off.has(object) && this.base;
  }

  /** 8.11.2.2: the expression, or else the policy over the layers. */
  #isMemberShown(dict: PDFDict): boolean {
    const expression = dict.lookup(PDFName.of("VE"));
    if (expression instanceof PDFArray) return this.#evaluate(expression, 0);
    const given = dict.get(PDFName.of("OCGs"));
    const list = itemsIn(dict, "OCGs");
    const members = list.length > 0 || given === undefined ? list : [given];
    const states = members.flatMap((member) => (member instanceof PDFRef ? [this.isShown(member)] : []));
    if (states.length === 0) return true;
    switch (nameIn(dict, "P")) {
      case "AllOn":
        return states.every((shown) => shown);
      case "AnyOff":
        return states.some((shown) => !shown);
      case "AllOff":
        return states.every((shown) => !shown);
      default:
        return states.some((shown) => shown);
    }
  }

  #evaluate(expression: PDFArray, depth: number): boolean {
    const [operator, ...operands] = expression.asArray();
    if (depth > DEEPEST || !(operator instanceof PDFName)) return true;
    const states = operands.map((operand) => {
      const inner = operand instanceof PDFRef ? this.#context.lookup(operand) : operand;
      return inner instanceof PDFArray ? this.#evaluate(inner, depth + 1) : this.isShown(operand);
    });
    if (operator.decodeText() === "Not") return states[0] !== true;
    return operator.decodeText() === "Or" ? states.some((shown) => shown) : states.every((shown) => shown);
  }
}

/** Marks what is hidden. @returns whether there is any */
function hide(context: PDFContext, layers: Layers): boolean {
  let found = false;
  for (const [ref, object] of context.enumerateIndirectObjects()) {
    if (object instanceof PDFDict && !layers.isShown(ref)) {
      object.set(PDFName.of(HIDDEN_KEY), PDFNumber.of(1));
      found = true;
    }
    if (!(object instanceof PDFStream) || layers.isShown(object.dict.get(PDFName.of("OC")))) continue;
    if (nameIn(object.dict, "Subtype") !== "Form") continue;
    const dict = object.dict.clone(context);
    for (const key of ["Filter", "DecodeParms"]) dict.delete(PDFName.of(key));
    context.assign(ref, PDFRawStream.of(dict, new Uint8Array()));
    found = true;
  }
  return found;
}

/**
 * A copy of a PDF whose hidden layers are marked; undefined for one that hides none, and for one that is encrypted or
 * damaged, whose layers all are read.
 */
async function markHiddenLayers(bytes: Uint8Array): Promise<Uint8Array | undefined> {
  if (bytes.length > MOST_BYTES) return undefined;
  try {
    const document = await PDFDocument.load(bytes, {
      updateMetadata: false,
      throwOnInvalidObject: false,
      warnOnInvalidObjects: false,
      parseSpeed: ParseSpeeds.Fastest,
    });
    const properties = dictIn(document.catalog, "OCProperties");
    if (properties === undefined) return undefined;
    const layers = new Layers(document.context, properties);
    if (layers.allShown || !hide(document.context, layers)) return undefined;
    return await document.save({ useObjectStreams: false, addDefaultPage: false, updateFieldAppearances: false });
  } catch {
    return undefined;
  }
}

/** Whether a form, whose dictionary stands in the file as it is, may belong to a layer. */
const hasLayeredForms = (file: Buffer): boolean => ["/OC ", "/OC\r", "/OC\n", "/OC<"].some((key) => file.includes(key));

const bytesIn = (dict: PDFObject | undefined, key: string): string | undefined => {
  const value = dict instanceof PDFDict ? dict.lookup(PDFName.of(key)) : undefined;
  return value instanceof PDFString || value instanceof PDFHexString
    ? Buffer.from(value.asBytes()).toString("latin1")
    : undefined;
};

/**
 * The names of the layers that are hidden, byte by byte, found without reading all of the file. Undefined where more has
 * to be known than names: two layers have one, there are memberships of layers, or parts of the file are not found.
 */
function hiddenNames(file: Buffer): Set<string> | undefined {
  if (file.includes("/Encrypt")) return undefined;
  try {
    const objects = new FileObjects(file);
    const catalog = objects.read(rootNumber(file) ?? 0);
    const given = catalog instanceof PDFDict ? catalog.get(PDFName.of("OCProperties")) : undefined;
    if (given === undefined) return undefined;
    objects.load(given);
    const properties = objects.context.lookup(given);
    if (!(properties instanceof PDFDict)) return undefined;
    const layers = new Layers(objects.context, properties);
    if (layers.allShown) return new Set();
    if (!layers.base || hasLayeredForms(file) || objects.mentions("/OCMD")) return undefined;
    const all = new Set([...itemsIn(properties, "OCGs"), ...itemsIn(dictIn(properties, "D"), "OFF")]);
    const named = [...all].map((layer) => ({
      name: layer instanceof PDFRef ? bytesIn(objects.context.lookup(layer), "Name") : undefined,
      hidden: !layers.isShown(layer),
    }));
    const hidden = new Set(named.flatMap(({ name, hidden }) => (hidden && name !== undefined ? [name] : [])));
    const isClear = named.every(
      ({ name, hidden: own }) => name !== undefined && name.length <= LONGEST_LAYER && own === hidden.has(name),
    );
    return isClear ? hidden : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Opens a PDF to read its text: what hidden layers hold is none of it. Files whose hidden layers can be told by their
 * names are opened as they are, others as a copy.
 * @throws JobFailure as withPdf
 */
export async function withShownPdf<T>(bytes: Uint8Array, use: (document: PdfDocument) => T): Promise<T> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!namesLayers(file)) return withPdf(bytes, use);
  const names = hiddenNames(file);
  if (names !== undefined) return withPdf(bytes, use, names.size === 0 ? undefined : names);
  const marked = await markHiddenLayers(bytes);
  return marked === undefined ? withPdf(bytes, use) : withPdf(marked, use, "marked");
}
