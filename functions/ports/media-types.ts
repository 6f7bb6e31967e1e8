/** Media types of the supported documents, and their aliases. */

export const PDF = "application/pdf";
export const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
export const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
export const PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation";
export const JPEG = "image/jpeg";
export const PNG = "image/png";
export const TIFF = "image/tiff";
export const PLAIN_TEXT = "text/plain";
export const CSV = "text/csv";
export const MARKDOWN = "text/markdown";

export const IMAGE_TYPES: ReadonlySet<string> = new Set([JPEG, PNG, TIFF]);
export const TEXT_TYPES: ReadonlySet<string> = new Set([PLAIN_TEXT, CSV, MARKDOWN]);
export const OFFICE_TYPES: ReadonlySet<string> = new Set([DOCX, XLSX, PPTX]);

/** Other names, and related types with the same kind of content: templates, documents with macros, older names. */
const MEDIA_TYPE_ALIASES: Record<string, string> = {
  "application/x-pdf": PDF,
  "application/acrobat": PDF,
  "applications/vnd.pdf": PDF,
  "text/pdf": PDF,
  "text/x-pdf": PDF,
  "image/jpg": JPEG,
  "image/pjpeg": JPEG,
  "image/x-jpeg": JPEG,
  "image/x-png": PNG,
  "image/tif": TIFF,
  "image/x-tif": TIFF,
  "image/x-tiff": TIFF,
  "application/msword": DOCX,
  "application/vnd.ms-word.document.macroenabled.12": DOCX,
  "application/vnd.ms-word.template.macroenabled.12": DOCX,
  "application/vnd.openxmlformats-officedocument.wordprocessingml.template": DOCX,
  "application/vnd.ms-excel": XLSX,
  "application/vnd.ms-excel.sheet.macroenabled.12": XLSX,
  "application/vnd.ms-excel.template.macroenabled.12": XLSX,
  "application/vnd.openxmlformats-officedocument.spreadsheetml.template": XLSX,
  "application/vnd.ms-powerpoint": PPTX,
  "application/vnd.ms-powerpoint.presentation.macroenabled.12": PPTX,
  "application/vnd.ms-powerpoint.slideshow.macroenabled.12": PPTX,
  "application/vnd.openxmlformats-officedocument.presentationml.slideshow": PPTX,
  "application/vnd.openxmlformats-officedocument.presentationml.template": PPTX,
  "application/csv": CSV,
  "application/x-csv": CSV,
  "text/comma-separated-values": CSV,
  "text/tab-separated-values": CSV,
  "text/x-csv": CSV,
  "text/x-markdown": MARKDOWN,
};

/** Types that say nothing about the content. */
const UNDECLARED_TYPES = new Set(["", "omitted", "application/octet-stream", "binary/octet-stream"]);

/**
 * Normalises a media type: lower case, without parameters, aliases resolved; undefined for an invalid type or one that
 * says nothing.
 */
export function normalizeMediaType(declared: string | undefined): string | undefined {
  const bare = (declared ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (UNDECLARED_TYPES.has(bare) || !/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(bare)) return undefined;
  return MEDIA_TYPE_ALIASES[bare] ?? bare;
}

const TEXTUAL_APPLICATION_TYPE =
  /^application\/(?:(?:.+\+)?(?:json|xml|yaml)|x-yaml|x-ndjson|jsonl|xhtml\+xml|javascript|x-javascript|ecmascript|sql|x-sh|x-httpd-php|toml|rtf)$/;

/** True for types whose documents are text. */
export const isTextual = (type: string): boolean => type.startsWith("text/") || TEXTUAL_APPLICATION_TYPE.test(type);

/** The type's name for users: `a PDF`, `a Word document (.docx)` … */
export const describeType = (type: string): string => TYPE_NAMES[type] ?? type;

const TYPE_NAMES: Record<string, string> = {
  [PDF]: "a PDF",
  [DOCX]: "a Word document (.docx)",
  [XLSX]: "an Excel workbook (.xlsx)",
  [PPTX]: "a PowerPoint presentation (.pptx)",
  [JPEG]: "a JPEG image",
  [PNG]: "a PNG image",
  [TIFF]: "a TIFF image",
  [PLAIN_TEXT]: "plain text",
  [CSV]: "CSV text",
  [MARKDOWN]: "Markdown text",
};

const EXTENSIONS: Record<string, string> = { [PDF]: "pdf", [DOCX]: "docx", [XLSX]: "xlsx", [PPTX]: "pptx" };

/** The extension of a document's file name, without a full stop. */
export const extensionOf = (type: string): string => EXTENSIONS[type] ?? "bin";
