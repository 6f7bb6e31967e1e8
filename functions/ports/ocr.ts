/**
 * Optical character recognition: pictures of pages in, pages of the layout model out. An engine is a remote service or
 * a process on this machine. Long documents are started and polled, so that no caller waits for them.
 */

import type { BarcodeBlock, Box, Page } from "./layout.ts";
import type { WorkLimits } from "./limits.ts";

/**
 * LOW: fastest. DEFAULT: words and lines. PREMIUM: best quality, with block roles, tables and form fields where the
 * engine provides them.
 */
export type OcrLevel = "LOW" | "DEFAULT" | "PREMIUM";

/**
 * The source of a page's text. NONE: its text layer only. DEFAULT: recognition where the text layer is missing or
 * unreliable. AUTO: as DEFAULT, and again at PREMIUM where the quality is poor. PREMIUM: recognition at best quality.
 * LOW: fastest recognition, text without positions. EXCEL: the cells of a workbook.
 */
export const OCR_MODES = ["DEFAULT", "NONE", "PREMIUM", "AUTO", "EXCEL", "LOW"] as const;
export type OcrMode = (typeof OCR_MODES)[number];

/** Size of a page as shown; the engine's picture of it has no physical size. */
export interface OcrFrame {
  /** Inches. */
  width: number;
  height: number;
  /** Degrees clockwise by which the file rotates the page for display; default 0. */
  rotation?: 0 | 90 | 180 | 270;
}

/** A section of a page that is too long for one picture; cut across the longer side. */
export interface OcrStrip {
  /** From 0, downwards or to the right. */
  index: number;
  count: number;
  /** The whole page. */
  page: OcrFrame;
  /** Inches from the page's top left corner to the strip's. */
  left: number;
  top: number;
}

/** The content of a picture. */
export interface OcrView {
  /** From 1. */
  pageNumber: number;
  /** Size of the picture: of the page, or of the strip. */
  frame: OcrFrame;
  /** Absent: the whole page. */
  strip?: OcrStrip;
  /** Decoded when the picture was made, in inches of its frame; absent for none, or when not looked for. */
  barcodes?: BarcodeBlock[];
  /** Ink on the picture, to tell figures from text; absent for none, or when not measured. */
  ink?: PackedInk;
}

/** The picture of one page, PNG or JPEG, as shown. */
export interface OcrImage extends OcrView {
  bytes: Uint8Array;
}

/** Text with its position. */
export interface OcrSpan {
  text: string;
  /** Inches from the top left corner of the page as shown. */
  box: Box;
  /** Indexes of its words in the page's reading order, from 0, as references count them (`p1/w17`). */
  words: number[];
}

export interface OcrCell extends OcrSpan {
  /** From 1. */
  row: number;
  column: number;
  rowSpan: number;
  columnSpan: number;
  /** A column header. */
  header: boolean;
}

export interface OcrTable {
  box: Box;
  rows: number;
  columns: number;
  /** Row by row. */
  cells: OcrCell[];
  /** Above, below or inside the table. */
  titles: OcrSpan[];
  footers: OcrSpan[];
  /** 0 to 1. */
  confidence: number;
}

/** A form label and its filled-in values; no values when none were found. */
export interface OcrField {
  label: OcrSpan;
  values: OcrSpan[];
  /** 0 to 1. */
  confidence: number;
}

export type OcrBlockRole =
  | "title"
  | "section-header"
  | "header"
  | "footer"
  | "page-number"
  | "list"
  | "table"
  | "fields"
  | "figure"
  | "text";

/** Drawn lines and bars of a page, parallel to its text: their bounding boxes, as shown. */
export interface OcrDrawing {
  /** Ruled lines. */
  rules: Box[];
  /** Dark bars with light text on them. */
  bars: Box[];
  /** Frames as small as checkboxes; absent where they were not looked for. */
  squares?: DrawnSquare[];
  /** Rows of dots that lead the eye, or that are to be written on. */
  leaders?: Box[];
}

/** A frame as small as a checkbox. */
export interface DrawnSquare {
  box: Box;
  /** Share of the room inside that is ink, 0 to 1. */
  ink: number;
}

/** Ink of a page that looks like text, in cells of its picture (engine/imaging/figure-regions/unread-ink.ts). */
export interface OcrTextInk {
  /** In recognised words. */
  read: number;
  /** In no word, figure, barcode or rule. */
  unread: number;
}

export interface OcrPage {
  /** Boxes as shown; every word has a confidence. Checkbox marks (engine/ocr/checkboxes) are words in their lines. */
  page: Page;
  /** Degrees clockwise, above -180 to 180, by which the page's text is rotated as shown; 0 for upright text. */
  angle: number;
  /** Roles of `page.blocks`, in their order; `text` where the engine gives none. */
  roles: OcrBlockRole[];
  tables: OcrTable[];
  fields: OcrField[];
  /** Share of the picture's ink outside all word boxes, 0 to 1, where the engine measured it. */
  strayInk?: number;
  /** Counted in the picture, for every engine; absent where it was not measured. */
  textInk?: OcrTextInk;
  /** Source of tables where the engine detects none itself. */
  drawn?: OcrDrawing;
  /** The picture's (`OcrView.barcodes`), not the engine's. */
  barcodes?: BarcodeBlock[];
  /** Figures, as shown: the engine's, and those found in the picture (engine/imaging/figure-regions). */
  figures?: Box[];
}

/** Use of a provider, for a usage event. */
export interface OcrUse {
  provider: string;
  /** The provider's name of the operation, as in its price list. */
  operation: string;
  features: string[];
  pages: number;
}

/** A document in Blobs: PDF, TIFF, PNG or JPEG. */
export interface OcrDocument {
  /** The platform's key, with the organization's prefix. */
  blobKey: string;
  level: OcrLevel;
  /** Idempotency token: the same token starts the same document once. */
  token: string;
}

/** `reading`: some pages; the cursor gives more. `done`: the last pages. */
export type OcrProgress =
  | { status: "running" }
  | {
      status: "reading";
      pages: OcrPage[];
      cursor: string;
      /** Use of the whole document but for its pages, for a recognition that is not awaited to its end. */
      use?: Omit<OcrUse, "pages">;
    }
  | {
      status: "done";
      pages: OcrPage[];
      /** Numbers of pages that the engine could not read, in the whole document. */
      unread: number[];
      /** Use of the whole document. */
      use: OcrUse;
    };

/**
 * All methods throw a JobFailure for an unreadable document, ServiceUnavailable (retryable) when the engine is too
 * busy, and other AppErrors for faults of the set-up.
 */
export interface OcrEngine {
  readonly name: string;
  /** The largest picture that `recognize` takes, in bytes. */
  readonly maxImageBytes: number;
  /** Most pixels along a side of any picture, also of a document's pages. */
  readonly maxSide: number;
  /** Number of concurrent pictures that keep the engine busy. */
  readonly parallel: number;
  recognize(image: OcrImage, level: OcrLevel, limits: WorkLimits): Promise<{ page: OcrPage; use: OcrUse }>;
  /**
   * Starts what the engine needs for its first picture, while that is drawn; nobody waits for it. Absent for engines
   * that always run.
   */
  warm?(): void;
  /** Absent for engines that take pictures only. */
  readonly documents?: OcrDocuments;
}

/** Limits of the documents that an engine takes. */
export interface OcrDocumentLimits {
  /** Most inches along a side of a page. */
  maxPageInches: number;
  maxBytes: number;
  maxPages: number;
}

/** Asynchronous recognition of whole documents; throws as OcrEngine does. */
export interface OcrDocuments extends OcrDocumentLimits {
  /** @returns an id for `poll`, valid for some days */
  start(document: OcrDocument, limits: WorkLimits): Promise<string>;
  /**
   * Fetches progress and, when there are some, pages; an engine that reads page by page may do so here, a few pages a
   * call. Repeating a call gives the same pages.
   * @param frames sizes of all pages of the document, in order
   * @throws NotFound for an unknown or expired id; BadRequest for a cursor of another document
   */
  poll(id: string, frames: readonly OcrFrame[], limits: WorkLimits, cursor?: string): Promise<OcrProgress>;
}

/**
 * The ink of a page's picture in coarse cells (engine/imaging/figure-regions/ink-cells.ts), as stored with the page.
 */
export interface PackedInk {
  /** Columns and rows of cells. */
  across: number;
  down: number;
  /** Side of a cell in inches. */
  side: number;
  /** Row by row; deflated, in base64. */
  cells: string;
}
