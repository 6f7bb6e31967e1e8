/** Opens a PDF as a template: with its form, decrypted, and allowed to be filled. */
import {
  EncryptedPDFError,
  ParseSpeeds,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  type PDFObject,
  PDFRef,
  PDFString,
} from "@cantoo/pdf-lib";
import { AppError, UnprocessableEntity } from "../../../ports/errors.ts";
import { refuseBracketRuns } from "../../forms/acroform/bracket-runs.ts";
import { readFields, type TreeField } from "../../forms/acroform/field-tree.ts";
import { type FormPage, readPages } from "../../forms/acroform/form-pages.ts";
import { refuseLargeObjects } from "../../forms/acroform/large-objects.ts";
import { dictOf, entry, numberOf } from "../../forms/acroform/pdf-values.ts";
import { hasSignatures } from "./form-signatures.ts";
import { openLazily } from "./lazy/lazy-document.ts";
import { checkObjectStreams } from "./object-streams.ts";

/** Bits of /P (PDF 32000-1, table 22): annotations and forms, filling forms. */
const MAY_ANNOTATE = 1 << 5;
const MAY_FILL = 1 << 8;
/** From this revision of the encryption, filling has a permission of its own. */
const REVISION_WITH_FILLING = 3;
/** Most widgets of a form, about five times as many as the largest known one; each takes time and an appearance. */
const MAX_WIDGETS = 10_000;
const DAMAGED = "The PDF is damaged and cannot be used as a template";

export interface OpenForm {
  document: PDFDocument;
  catalog: PDFDict;
  /** The catalog's /AcroForm. */
  form: PDFDict | undefined;
  pages: FormPage[];
  fields: TreeField[];
  /** The file is signed, so that its bytes must stay. */
  signed: boolean;
  /** The file was encrypted; what is saved is not. */
  decrypted: boolean;
}

const CANNOT_DECRYPT = "The PDF is encrypted in a way that cannot be undone here; upload it without encryption";

const LOADING = {
  updateMetadata: false,
  throwOnInvalidObject: false,
  warnOnInvalidObjects: false,
  parseSpeed: ParseSpeeds.Fastest,
  preserveXFA: true,
};

/**
 * Reads how a file is encrypted.
 * @returns the encryption's object; undefined for a file without encryption
 * @throws UnprocessableEntity where the owner's restrictions forbid filling
 */
async function checkPermissions(bytes: Uint8Array): Promise<PDFObject | undefined> {
  const { context } = await PDFDocument.load(bytes, { ...LOADING, ignoreEncryption: true });
  const { Encrypt, ID } = context.trailerInfo;
  const encrypt = context.lookup(Encrypt);
  if (!(encrypt instanceof PDFDict)) return undefined;
  const ids = context.lookup(ID);
  const first = ids instanceof PDFArray ? ids.lookup(0) : undefined;
  if (!(first instanceof PDFHexString || first instanceof PDFString)) throw new UnprocessableEntity(CANNOT_DECRYPT);
  const permissions = numberOf(entry(encrypt, "P")) ?? -1;
  const revision = numberOf(entry(encrypt, "R")) ?? REVISION_WITH_FILLING;
  const needed = revision >= REVISION_WITH_FILLING ? MAY_FILL | MAY_ANNOTATE : MAY_ANNOTATE;
  if ((permissions & needed) === 0) {
    throw new UnprocessableEntity(
      "The owner of the PDF forbids filling its form; upload a copy without this restriction",
    );
  }
  return Encrypt;
}

/** False means that the file is surely not encrypted. */
const maybeEncrypted = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes("/Encrypt");

function loadFailure(cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  const message = cause instanceof Error ? cause.message : "";
  if (/password/iu.test(message)) {
    return new UnprocessableEntity("The PDF opens only with a password; upload it without one", { cause });
  }
  if (cause instanceof EncryptedPDFError || /encrypt/iu.test(message)) {
    return new UnprocessableEntity(CANNOT_DECRYPT, { cause });
  }
  return new UnprocessableEntity(DAMAGED, { cause });
}

/** Reads a file from front to back, every object of it. */
async function readWhole(bytes: Uint8Array, isProtected: boolean): Promise<OpenForm> {
  let document: PDFDocument;
  let encryption: PDFObject | undefined;
  try {
    encryption = isProtected ? await checkPermissions(bytes) : undefined;
    document = await PDFDocument.load(bytes, { ...LOADING, password: "" });
    if (encryption instanceof PDFRef) document.context.delete(encryption);
  } catch (cause) {
    throw loadFailure(cause);
  }
  return readForm(document, encryption !== undefined);
}

/**
 * Tells whether the page is only a placeholder for a form that an XFA processor draws (XFA 3.3, dynamic forms): there
 * is an XFA packet, and no field.
 */
const isDynamicForm = (form: PDFDict, fields: readonly TreeField[]): boolean =>
  fields.length === 0 && entry(form, "XFA") !== undefined;

/** @throws UnprocessableEntity for a form that cannot be filled */
function readForm(document: PDFDocument, decrypted: boolean): OpenForm {
  const { catalog } = document;
  if (!(catalog instanceof PDFDict)) throw new UnprocessableEntity(DAMAGED);
  const form = dictOf(catalog, "AcroForm");
  const pages = readPages(catalog);
  const fields = readFields(catalog, pages);
  if (form !== undefined && isDynamicForm(form, fields)) {
    throw new UnprocessableEntity(
      "The PDF is a dynamic XFA form, whose pages only Adobe's programs draw; save it there as a static form and upload that",
    );
  }
  if (fields.reduce((sum, { widgets }) => sum + widgets.length, 0) > MAX_WIDGETS) {
    throw new UnprocessableEntity(
      `The PDF's form has more than ${MAX_WIDGETS} places to fill in; split it into several PDFs`,
    );
  }
  const signed = hasSignatures(catalog, fields);
  if (signed && decrypted) {
    throw new UnprocessableEntity(
      "The PDF is signed and encrypted, so that it cannot be filled without breaking its signature; upload it without encryption",
    );
  }
  return { document, catalog, form, pages, fields, signed, decrypted };
}

export interface OpeningOptions {
  /** Read all objects: the file is to be written anew. */
  whole?: boolean;
}

/**
 * Opens a PDF's form and works with it. A file that only an owner password protects opens where its permissions allow
 * filling. Objects of a sound file are read as they are asked for. Where it turns out to be damaged, it is read from
 * front to back, and the work is done again: it changes nothing but the form.
 * @throws UnprocessableEntity: damaged; a password is needed; filling is forbidden; a dynamic XFA form; too many widgets
 */
export async function withForm<T>(
  bytes: Uint8Array,
  work: (form: OpenForm) => T | Promise<T>,
  { whole = false }: OpeningOptions = {},
): Promise<T> {
  refuseBracketRuns(bytes);
  refuseLargeObjects(bytes);
  const isProtected = maybeEncrypted(bytes);
  checkObjectStreams(bytes, isProtected);
  const lazily = whole || isProtected ? undefined : openLazily(bytes);
  if (lazily !== undefined) {
    try {
      const result = await work(readForm(lazily.document, false));
      if (!lazily.objects.isUnusual) return result;
    } catch (error) {
      // Any other error than a sentence for the caller may come from the way of reading.
      if (error instanceof AppError && !lazily.objects.isUnusual) throw error;
    }
  }
  return work(await readWhole(bytes, isProtected));
}
