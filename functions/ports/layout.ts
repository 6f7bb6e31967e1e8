/**
 * The layout model: the content of each page and its position. Readers write it; extraction, transcription and
 * grounding read it. Stored as UTF-8 JSON (engine/layout/layout-file.ts).
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
  /** Font size in points, where the reader knows it. */
  fontSize?: number;
  bold?: boolean;
  /** The target of a link on the word. */
  link?: string;
}

/** Words on one baseline that belong together, left to right (right to left for such scripts). */
export interface Line {
  box: Box;
  words: Word[];
  /** The last word continues in the next line; its hyphen only breaks the line. */
  hyphenated?: true;
}

/** `header`, `footer`: text repeated at the edge of pages. `caption`: the text of a figure or table beside it. */
export type TextBlockKind = "paragraph" | "heading" | "list-item" | "header" | "footer" | "caption" | "note";

export interface TextBlock {
  kind: TextBlockKind;
  box: Box;
  lines: Line[];
  /** Headings: 1 to 6, the most important first. List items: their nesting depth, from 1. */
  level?: number;
  /** List items: the marker before the text (`•`, `3.`, `b)`), which is among the words too. */
  marker?: string;
}

export interface TableCell {
  /** From 0. */
  row: number;
  column: number;
  rowSpan: number;
  columnSpan: number;
  box: Box;
  /** Top to bottom; an empty cell has none. */
  lines: Line[];
  /** Its text, where the lines do not say every character: other white space than single spaces, rows that wrapped. */
  text?: string;
}

export interface TableBlock {
  kind: "table";
  box: Box;
  rows: number;
  columns: number;
  /** Header rows at the top; repeated on the pages where the table continues. */
  headerRows: number;
  /** Row by row, each row left to right; a spanning cell is listed where it begins, covered positions have none. */
  cells: TableCell[];
  /** Continues the table of the page before. */
  continued?: true;
  /** The cells are data rather than print: every character of them counts. */
  verbatim?: true;
}

/**
 * A picture or drawing. `lines` hold the text that an engine or an office file assigns to it; words of a text layer
 * within its box stay in blocks of their own.
 */
export interface FigureBlock {
  kind: "figure";
  box: Box;
  lines: Line[];
  /** Text of the caption beside it, which is among the blocks too. */
  caption?: string;
}

/** A decoded barcode. */
export interface BarcodeBlock {
  kind: "barcode";
  box: Box;
  /** Always empty: a barcode's value is not printed text. */
  lines: Line[];
  /** The barcode engine's name of the symbology: `QRCode`, `EAN13`, `Code128` … */
  format: string;
  /** Human-readable: GS1 identifiers in brackets, unprintable bytes by name (`<GS>`). */
  value: string;
  /** 0 to 1: the strength of the symbology's error detection. */
  confidence: number;
}

export type Block = TextBlock | TableBlock | FigureBlock | BarcodeBlock;

/**
 * A form label and its filled-in values, paired by an engine that knows forms. Label and values are given as the boxes
 * of their words, which are words of the page's blocks with exactly these boxes.
 */
export interface FormField {
  label: Box[];
  /** One list of boxes per filled-in value; the mark of a checkbox is a word. Empty where none was found. */
  values: Box[][];
  /** 0 to 1. */
  confidence: number;
}

/** The field of a PDF's form that an entry is a widget of. */
export interface EntryField {
  /** As form metadata names it: `f1`. */
  id: string;
  name: string;
  tooltip?: string;
  type: "text" | "multiline" | "checkbox" | "radio" | "dropdown" | "listbox" | "signature";
  /** As form metadata has it; null for none. */
  value: string | string[] | null;
  options?: { value: string; label: string }[];
  /** Checkboxes and radio buttons: the field's value when this widget is chosen. */
  state?: string;
  /** Characters that it takes at most. */
  maxLength?: number;
}

/** A place of a form to write in or to tick, filled or not. */
export interface FormEntry {
  kind: "text" | "tick";
  box: Box;
  /** The print that names it; empty where there is none. */
  label: string;
  /** Further print about it, the nearest first: heads of its row and column, its question, the heading of its section. */
  context: string[];
  /** Boxes of the words that were written in it, which are words of the page's blocks with exactly these boxes. */
  words: Box[];
  /** How sure it is that these words were written, and are not printed, 0 to 1; absent where the file tells. */
  certainty?: number;
  /** A cell or a line for each character: its words are pieces of one. */
  comb?: true;
  /** Places to tick: true where it is. */
  ticked?: boolean;
  /** Places to tick that answer one question: a number of their own on the page. */
  group?: number;
  /** Absent for a place that is only printed. */
  field?: EntryField;
}

export interface Page {
  /** From 1. */
  number: number;
  /** Inches, as shown. */
  width: number;
  height: number;
  unit: "inch";
  /** Degrees clockwise by which the file rotates the page for display: 0, 90, 180, 270. Boxes are already rotated. */
  rotation: number;
  /** Degrees clockwise, above -180 to 180, by which the text is rotated as shown; absent for upright text. */
  angle?: number;
  /** In reading order. */
  blocks: Block[];
  /** Absent where no engine looked for them. */
  fields?: FormField[];
  /** Places of a form, in the order of the form; absent on pages without. */
  entries?: FormEntry[];
}

/** A file embedded in the document, such as the XML of an electronic invoice. */
export interface Attachment {
  name: string;
  mimeType: string;
  /** Bytes. */
  size: number;
  description?: string;
  /** The text of XML and plain text up to a megabyte. */
  content?: string;
}

export interface Layout {
  v: typeof LAYOUT_VERSION;
  /** The reader: `pdf-text`, `text`, `docx`. */
  provider: string;
  /** True when the reader lays out pages and boxes because the format has none (plain text, Word). */
  logicalPages: boolean;
  /** Pages of the whole document, also where `pages` holds only some. */
  pageCount: number;
  pages: Page[];
  /** Absent when there are none. */
  attachments?: Attachment[];
}
