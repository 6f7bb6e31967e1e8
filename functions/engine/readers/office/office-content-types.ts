/** What kind of office document a zip archive is (ECMA-376 part 2, Open Packaging Conventions). */
import { DOCX, PPTX, XLSX } from "../../../ports/media-types.ts";
import { inflateEntry, listZip, type ZipEntry } from "../zip-archive.ts";

const CONTENT_TYPES = "[Content_Types].xml";
/** A content types part larger than this is not read. */
const MOST_CONTENT_TYPES_BYTES = 2_000_000;

interface Kind {
  type: string;
  folder: string;
  main: string;
  /** The main part's content type, of documents, templates, slide shows, with and without macros. */
  contentType: RegExp;
}

const KINDS: readonly Kind[] = [
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
  if (part === undefined || part.size > MOST_CONTENT_TYPES_BYTES) return undefined;
  try {
    const text = new TextDecoder().decode(inflateEntry(bytes, part));
    return KINDS.find((kind) => kind.contentType.test(text))?.type;
  } catch {
    return undefined;
  }
}

export interface Package {
  /** Whether it says to be a package of parts at all, or is too damaged to say. */
  possible: boolean;
  /** Media type of the office document in it. */
  type: string | undefined;
}

/**
 * Which office document a zip archive holds: by its content types, else by its parts. Where the directory is damaged, by
 * the names that still stand in the bytes.
 */
export function lookIntoPackage(bytes: Uint8Array): Package {
  const entries = listZip(bytes);
  if (entries === undefined) {
    const raw = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const type = raw.includes(CONTENT_TYPES) ? KINDS.find((kind) => raw.includes(kind.folder))?.type : undefined;
    return { possible: true, type };
  }
  if (!entries.some((entry) => entry.name === CONTENT_TYPES)) return { possible: false, type: undefined };
  const type =
    typeFromContentTypes(bytes, entries) ??
    KINDS.find((kind) => entries.some((entry) => usualPartName(entry.name) === kind.main))?.type;
  return { possible: true, type };
}

/** The part that an office document cannot be without. */
export const mainPart = (type: string): string | undefined => KINDS.find((kind) => kind.type === type)?.main;

/** Word on the web numbers its main part (`word/document2.xml`); here parts go by their usual names. */
export const usualPartName = (name: string): string =>
  name.replace(/^(word\/(?:_rels\/)?document)\d+(\.xml(?:\.rels)?)$/, "$1$2");
