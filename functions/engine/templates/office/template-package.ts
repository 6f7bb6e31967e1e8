/**
 * The parts of an Office template: read through the guard that readers of documents share, changed one by one, and saved
 * so that untouched parts keep their bytes.
 */
import { UnprocessableEntity } from "../../../ports/errors.ts";
import { openPackage } from "../../readers/office/office-package.ts";
import { isEncryptedOffice } from "../../readers/sniff-media-type.ts";
import { dataRange, listZip } from "../../readers/zip-archive.ts";
import { ContentTypes } from "./content-types.ts";
import { type PackedEntry, packEntry, writeZip } from "./zip-writer.ts";

export interface TemplatePackage {
  /** Names of the parts in the file's order, those added last. */
  readonly names: readonly string[];
  has(name: string): boolean;
  /** A part's bytes as they stand now; undefined when there is none. Names match without regard to case. */
  read(name: string): Uint8Array | undefined;
  /** Changes a part. @throws RangeError for a part that is not there: `add` states its content type */
  write(name: string, content: Uint8Array | string): void;
  /** Adds a part with its content type. @throws RangeError for a name that is taken */
  add(name: string, content: Uint8Array | string, contentType: string): void;
  /** Takes a part out, with its content type; its relationships are the caller's. */
  remove(name: string): void;
  /** The content type of a part; undefined when the package states none. */
  contentType(name: string): string | undefined;
  setContentType(name: string, contentType: string): void;
  /** A name that no part has: `ppt/slides/slide` and `.xml` give `ppt/slides/slide4.xml`. */
  freeName(prefix: string, suffix: string): string;
  /** The file; the same changes give the same bytes. */
  save(): Uint8Array;
}

export const CONTENT_TYPES_PART = "[Content_Types].xml";
const MACROS = "The document has macros, which a template cannot have; save it without them, as .docx, .xlsx or .pptx";
const ENCRYPTED = "The document is protected with a password; save it without one";

const MACRO_TYPE = /macroenabled|vbaproject/i;
const MACRO_PART = /(?:^|\/)vba(?:project(?:signature(?:agile|v3)?)?|data)\.(?:bin|xml)$/i;

const encoder = new TextEncoder();
const bytesOf = (content: Uint8Array | string): Uint8Array =>
  typeof content === "string" ? encoder.encode(content) : content;

/** Entries of the archive as packed, folders too, by lower-case name. */
function packedEntries(bytes: Uint8Array): Map<string, PackedEntry> {
  const packed = new Map<string, PackedEntry>();
  for (const entry of listZip(bytes) ?? []) {
    const { start, end } = dataRange(bytes, entry);
    const { name, method, crc, size } = entry;
    packed.set(name.toLowerCase(), { name, method, crc, size, data: bytes.subarray(start, end) });
  }
  return packed;
}

/**
 * Opens an Office template.
 * @throws UnprocessableEntity for macros and encryption; JobFailure (corrupted) as `openPackage`
 */
export function openTemplatePackage(bytes: Uint8Array): TemplatePackage {
  if (isEncryptedOffice(bytes)) throw new UnprocessableEntity(ENCRYPTED);
  const source = openPackage(bytes);
  const entries = packedEntries(bytes);
  /** Parts that were changed or added. */
  const changed = new Map<string, Uint8Array>();
  const types = new ContentTypes(source.read(CONTENT_TYPES_PART));
  if (types.all().some((type) => MACRO_TYPE.test(type)) || source.names.some((name) => MACRO_PART.test(name))) {
    throw new UnprocessableEntity(MACROS);
  }
  const key = (name: string): string => name.toLowerCase();
  const put = (name: string, content: Uint8Array | string): void => {
    const known = entries.get(key(name));
    if (known === undefined) entries.set(key(name), { name, method: 0, crc: 0, size: 0, data: new Uint8Array() });
    changed.set(key(name), bytesOf(content));
  };
  return {
    get names() {
      return [...entries.values()].map(({ name }) => name).filter((name) => !name.endsWith("/"));
    },
    has: (name) => entries.has(key(name)),
    read: (name) => (entries.has(key(name)) ? (changed.get(key(name)) ?? source.read(name)) : undefined),
    write(name, content) {
      if (!entries.has(key(name))) throw new RangeError(`There is no part ${name}`);
      put(name, content);
    },
    add(name, content, contentType) {
      if (entries.has(key(name))) throw new RangeError(`There is a part ${name}`);
      put(name, content);
      types.set(name, contentType);
    },
    remove(name) {
      entries.delete(key(name));
      changed.delete(key(name));
      types.remove(name);
    },
    contentType: (name) => types.of(name),
    setContentType: (name, contentType) => types.set(name, contentType),
    freeName(prefix, suffix) {
      let number = 1;
      while (entries.has(key(`${prefix}${number}${suffix}`))) number += 1;
      return `${prefix}${number}${suffix}`;
    },
    save() {
      const stated = types.written();
      if (stated !== undefined) put(CONTENT_TYPES_PART, stated);
      return writeZip(
        [...entries].map(([name, entry]) => {
          const content = changed.get(name);
          return content === undefined ? entry : packEntry(entry.name, content);
        }),
      );
    },
  };
}
