/**
 * Optional content (PDF 32000-1, 8.11): hidden layers do not belong to a page's text. pdfium skips them when drawing,
 * but not when it returns text. It does return the dictionary of a piece of marked content. So a copy of the file gets
 * a mark of ours in the dictionaries of hidden layers, and hidden forms lose their content.
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
import { FileObjects, inflate, inflateAt, objectStreamPairs, objectStreams, rootNumber } from "./file-objects.ts";
import { type PdfDocument, withPdf } from "./pdf-document.ts";
import { HIDDEN_LAYER_KEY, MAX_LAYER_NAME_BYTES } from "./pdf-page.ts";

const LAYERS_KEY = "/OCProperties";
/** Larger files are read unchanged: a copy would exceed the memory of the process. */
const MAX_FILE_BYTES = 64_000_000;
/** Bytes at the start of an object stream that hold its object numbers. */
const STREAM_HEADER_BYTES = 2_000;
/** Limit for nested visibility expressions. */
const MAX_EXPRESSION_DEPTH = 20;

/** Tells whether the catalog names layers, whether it stands directly in the file or in an object stream. */
function namesLayers(file: Buffer): boolean {
  if (file.includes(LAYERS_KEY)) return true;
  if (!file.includes("/ObjStm")) return false;
  const root = rootNumber(file);
  if (root === undefined || file.includes(`\n${root} 0 obj`) || file.includes(`\r${root} 0 obj`)) return false;
  for (const { start } of objectStreams(file)) {
    const pairs = objectStreamPairs(inflate(file.subarray(start, start + STREAM_HEADER_BYTES)));
    if (pairs.some((number, index) => index % 2 === 0 && number === root))
      return inflateAt(file, start).includes(LAYERS_KEY);
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
class LayerStates {
  /** True when layers without a stated state are on. */
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

  /** Tells whether a layer or a membership of layers is shown; any other object is. */
  isShown(object: PDFObject | undefined): boolean {
    const dict = object instanceof PDFRef ? this.#context.lookup(object) : object;
    if (!(dict instanceof PDFDict)) return true;
    if (nameIn(dict, "Type") === "OCMD") return this.#isMemberShown(dict);
    if (nameIn(dict, "Type") !== "OCG" || !(object instanceof PDFRef)) return true;
    if (this.#on.has(object)) return true;
    return !this.#off.has(object) && this.base;
  }

  /** Evaluates a membership (8.11.2.2): its expression, or else its policy over the layers. */
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
    if (depth > MAX_EXPRESSION_DEPTH || !(operator instanceof PDFName)) return true;
    const states = operands.map((operand) => {
      const inner = operand instanceof PDFRef ? this.#context.lookup(operand) : operand;
      return inner instanceof PDFArray ? this.#evaluate(inner, depth + 1) : this.isShown(operand);
    });
    if (operator.decodeText() === "Not") return states[0] !== true;
    return operator.decodeText() === "Or" ? states.some((shown) => shown) : states.every((shown) => shown);
  }
}

/** Marks hidden content. @returns true when there is any */
function markHidden(context: PDFContext, layers: LayerStates): boolean {
  let found = false;
  for (const [ref, object] of context.enumerateIndirectObjects()) {
    if (object instanceof PDFDict && !layers.isShown(ref)) {
      object.set(PDFName.of(HIDDEN_LAYER_KEY), PDFNumber.of(1));
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
 * A copy of a PDF with its hidden layers marked; undefined when it hides none. Also undefined for an encrypted or
 * damaged file, whose layers are all read.
 */
async function markHiddenLayers(bytes: Uint8Array): Promise<Uint8Array | undefined> {
  if (bytes.length > MAX_FILE_BYTES) return undefined;
  try {
    const document = await PDFDocument.load(bytes, {
      updateMetadata: false,
      throwOnInvalidObject: false,
      warnOnInvalidObjects: false,
      parseSpeed: ParseSpeeds.Fastest,
    });
    const properties = dictIn(document.catalog, "OCProperties");
    if (properties === undefined) return undefined;
    const layers = new LayerStates(document.context, properties);
    if (layers.allShown || !markHidden(document.context, layers)) return undefined;
    return await document.save({ useObjectStreams: false, addDefaultPage: false, updateFieldAppearances: false });
  } catch {
    return undefined;
  }
}

/** Tells whether a form with a plain dictionary in the file may belong to a layer. */
const hasLayeredForms = (file: Buffer): boolean => ["/OC ", "/OC\r", "/OC\n", "/OC<"].some((key) => file.includes(key));

const bytesIn = (dict: PDFObject | undefined, key: string): string | undefined => {
  const value = dict instanceof PDFDict ? dict.lookup(PDFName.of(key)) : undefined;
  return value instanceof PDFString || value instanceof PDFHexString
    ? Buffer.from(value.asBytes()).toString("latin1")
    : undefined;
};

/**
 * The names of the hidden layers, one character a byte, found without parsing the whole file. Undefined where names are
 * not enough: two layers share one, there are memberships of layers, or parts of the file are missing.
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
    const layers = new LayerStates(objects.context, properties);
    if (layers.allShown) return new Set();
    if (!layers.base || hasLayeredForms(file) || objects.mentions("/OCMD")) return undefined;
    const all = new Set([...itemsIn(properties, "OCGs"), ...itemsIn(dictIn(properties, "D"), "OFF")]);
    const named = [...all].map((layer) => ({
      name: layer instanceof PDFRef ? bytesIn(objects.context.lookup(layer), "Name") : undefined,
      hidden: !layers.isShown(layer),
    }));
    const hidden = new Set(named.flatMap(({ name, hidden }) => (hidden && name !== undefined ? [name] : [])));
    const isClear = named.every(
      ({ name, hidden: isHidden }) =>
        name !== undefined && name.length <= MAX_LAYER_NAME_BYTES && isHidden === hidden.has(name),
    );
    return isClear ? hidden : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Opens a PDF to read its text without hidden layers. A file whose hidden layers are identified by name is opened
 * directly, any other as a marked copy.
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
