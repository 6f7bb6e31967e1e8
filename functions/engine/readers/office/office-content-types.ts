/** Kind of office document in a zip archive (ECMA-376 part 2, Open Packaging Conventions). */
import { DOCX, PPTX, XLSX } from "../../../ports/media-types.ts";
import { inflateEntry, listZip, type ZipEntry } from "../zip-archive.ts";

const CONTENT_TYPES = "[Content_Types].xml";
/** A larger content types part is not read. */
const MAX_CONTENT_TYPES_BYTES = 2_000_000;

interface OfficeKind {
  type: string;
  folder: string;
  main: string;
  /** Content types of the main part, for documents, templates and slide shows, with and without macros. */
  contentType: RegExp;
}

const OFFICE_KINDS: readonly OfficeKind[] = [
  {
    type: DOCX,
    folder: "word/",
    main: "word/document.xml",
    contentType: /wordprocessingml\.(?:document|template)\.main\+xml|ms-word\.\w+\.macroenabled\w*\.main\+xml/i,
  },
  {
    type: XLSX,
    folder: "xl/",
    main: "xl/workbook.xml",
    contentType:
      /spreadsheetml\.(?:sheet|template)\.main\+xml|ms-excel\.(?:sheet|template)\.macroenabled\w*\.main\+xml/i,
  },
  {
    type: PPTX,
    folder: "ppt/",
    main: "ppt/presentation.xml",
    contentType:
      /presentationml\.(?:presentation|slideshow|template)\.main\+xml|ms-powerpoint\.\w+\.macroenabled\w*\.main\+xml/i,
  },
];

function typeFromContentTypes(bytes: Uint8Array, entries: readonly ZipEntry[]): string | undefined {
  const part = entries.find((entry) => entry.name === CONTENT_TYPES);
  if (part === undefined || part.size > MAX_CONTENT_TYPES_BYTES) return undefined;
  try {
    const text = new TextDecoder().decode(inflateEntry(bytes, part));
    return OFFICE_KINDS.find((kind) => kind.contentType.test(text))?.type;
  } catch {
    return undefined;
  }
}

export interface PackageInspection {
  /** True when the archive is a package of parts, or too damaged to tell. */
  possible: boolean;
  /** Media type of the office document in it. */
  type: string | undefined;
}

/**
 * Identifies the office document in a zip archive: by its content types, else by its parts; for a damaged directory by
 * the names in the bytes.
 */
export function inspectPackage(bytes: Uint8Array): PackageInspection {
  const entries = listZip(bytes);
  if (entries === undefined) {
    const raw = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const type = raw.includes(CONTENT_TYPES) ? OFFICE_KINDS.find((kind) => raw.includes(kind.folder))?.type : undefined;
    return { possible: true, type };
  }
  if (!entries.some((entry) => entry.name === CONTENT_TYPES)) return { possible: false, type: undefined };
  const type =
    typeFromContentTypes(bytes, entries) ??
    OFFICE_KINDS.find((kind) => entries.some((entry) => usualPartName(entry.name) === kind.main))?.type;
  return { possible: true, type };
}

/** The main part that an office document of this type must have. */
export const mainPart = (type: string): string | undefined => OFFICE_KINDS.find((kind) => kind.type === type)?.main;

/** The usual name of a part. Word on the web numbers its main part (`word/document2.xml`). */
export const usualPartName = (name: string): string =>
  name.replace(/^(word\/(?:_rels\/)?document)\d+(\.xml(?:\.rels)?)$/, "$1$2");
