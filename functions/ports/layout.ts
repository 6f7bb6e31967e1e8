/**
 * The layout model: what stands on each page, and where. Written by the readers, read by extraction, transcription and
 * the evidence. Stored as UTF-8 JSON (layout-file.ts).
 *
 * Coordinates are inches from the top left corner of the page as shown (after rotation and cropping); x grows to the
 * right, y downwards.
 */

export const LAYOUT_VERSION = 3;

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Word {
  text: string;
  box: Box;
  /** 0 to 1; absent for words of a text layer, which are certain. */
  confidence?: number;
  /** `ocr`: recognised in a picture of the page. Absent: the file holds the text. */
  source?: "ocr";
  /** Height of the type in points, where the reader knows it. */
  fontSize?: number;
  bold?: boolean;
  /** Where a link on it leads. */
  link?: string;
}

/** Words that stand on one baseline and belong together, from left to right (right to left for such scripts). */
export interface Line {
  box: Box;
  words: Word[];
  /** Its last word goes on in the next line; its hyphen is there only because the line ends. */
  hyphenated?: true;
}

/** `header` and `footer` are what repeats at the edge of pages; `caption` belongs to a figure or table beside it. */
export type TextBlockKind = "paragraph" | "heading" | "list-item" | "header" | "footer" | "caption" | "note";

export interface TextBlock {
  kind: TextBlockKind;
  box: Box;
  lines: Line[];
  /** Of a heading 1 to 6, the most important first; of a list item its nesting, from 1. */
  level?: number;
  /** Of a list item: what stands before its text (`•`, `3.`, `b)`); the mark is among the words too. */
  marker?: string;
}

export interface TableCell {
  /** From 0. */
  row: number;
  column: number;
  rowSpan: number;
  columnSpan: number;
  box: Box;
  /** Top to bottom; none for an empty cell. */
  lines: Line[];
}

export interface TableBlock {
  kind: "table";
  box: Box;
  rows: number;
  columns: number;
  /** Rows from the top that head the columns; repeated on the pages that a table goes on to. */
  headerRows: number;
  /** Row by row, each row from left to right; a spanning cell stands where it begins, covered places have none. */
  cells: TableCell[];
  /** The table of the page before goes on here. */
  continued?: true;
}

/**
 * A picture or drawing. Text that an engine or an office file says is its own stands in lines; a text layer's words
 * within it stay in blocks of their own.
 */
export interface FigureBlock {
  kind: "figure";
  box: Box;
  lines: Line[];
  /** Of the caption beside it, which is among the blocks too. */
  caption?: string;
}

/** A barcode that was read. */
export interface BarcodeBlock {
  kind: "barcode";
  box: Box;
  /** None: what a code says is printed nowhere. */
  lines: Line[];
  /** As the barcode engine names it: `QRCode`, `EAN13`, `Code128` … */
  format: string;
  /** As people read it: GS1 identifiers in brackets, bytes that cannot be printed by name (`<GS>`). */
  value: string;
  /** 0 to 1: how much the symbology checks what is read. */
  confidence: number;
}

export type Block = TextBlock | TableBlock | FigureBlock | BarcodeBlock;

/**
 * A label of a form and what is filled in for it, as an engine that knows forms has paired them. Its parts are named by
 * the boxes of their words, which stand in the page's blocks in the very same boxes.
 */
export interface FormField {
  label: Box[];
  /** One for each place that is filled in; a mark of a box to tick is a word. None where nothing was found. */
  values: Box[][];
  /** 0 to 1. */
  confidence: number;
}

export interface Page {
  /** From 1. */
  number: number;
  /** Inches, as shown. */
  width: number;
  height: number;
  unit: "inch";
  /** Degrees clockwise by which the file turns the page for showing: 0, 90, 180, 270. Boxes are already turned. */
  rotation: number;
  /** Degrees clockwise, above -180 to 180, by which its text is turned as shown; absent where it stands upright. */
  angle?: number;
  /** In reading order. */
  blocks: Block[];
  /** Absent where no engine has looked for them. */
  fields?: FormField[];
}

/** A file that stands inside the document, such as the XML of an electronic invoice. */
export interface Attachment {
  name: string;
  mimeType: string;
  /** Bytes. */
  size: number;
  description?: string;
  /** Of XML and plain text up to a megabyte: the text. */
  content?: string;
}

export interface Layout {
  v: typeof LAYOUT_VERSION;
  /** What read it: `pdf-text`, `text`, `docx`. */
  provider: string;
  /** True when pages and boxes are laid out by us because the format has none (plain text, Word). */
  logicalPages: boolean;
  /** Of the whole document, also where `pages` holds only some. */
  pageCount: number;
  pages: Page[];
  /** Absent when there are none. */
  attachments?: Attachment[];
}
