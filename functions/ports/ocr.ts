/**
 * Recognition of text: pictures of pages in, pages of the layout model out. An engine may be a service or a process of
 * this machine; both are started and asked again, so that nobody has to wait for a long document.
 */

import type { BarcodeBlock, Box, Page } from "./layout.ts";
import type { WorkLimits } from "./limits.ts";

/**
 * LOW: as fast as may be. DEFAULT: words and lines. PREMIUM: with all care, and also what the blocks are, tables and
 * form fields, where the engine knows them.
 */
export type OcrLevel = "LOW" | "DEFAULT" | "PREMIUM";

/**
 * How a page's text is found. NONE: its text layer only. DEFAULT: recognised where that is missing or cannot be
 * trusted. AUTO: as DEFAULT, and again with all care where the outcome is poor. PREMIUM: recognised with all care. LOW:
 * recognised as fast as may be, text without places. EXCEL: the cells of a workbook.
 */
export type OcrMode = "NONE" | "LOW" | "DEFAULT" | "AUTO" | "PREMIUM" | "EXCEL";

/** A page as shown, which the engine sees as a picture without a size of its own. */
export interface OcrFrame {
  /** Inches. */
  width: number;
  height: number;
  /** Degrees clockwise by which the file turns the page for showing; 0 unless given. */
  rotation?: 0 | 90 | 180 | 270;
}

/** A part of a page that is too long for one picture, across its longer side. */
export interface OcrStrip {
  /** From 0, down the page or to the right. */
  index: number;
  count: number;
  /** The whole page. */
  page: OcrFrame;
  /** Inches from the page's top left corner to the strip's. */
  left: number;
  top: number;
}

/** What a picture shows. */
export interface OcrView {
  /** From 1. */
  pageNumber: number;
  /** Of the picture: the page, or the strip of it. */
  frame: OcrFrame;
  /** Absent: the whole page. */
  strip?: OcrStrip;
  /** Seen when the picture was made, in inches of its frame; absent when there are none, or nobody looked. */
  barcodes?: BarcodeBlock[];
  /** Where ink is on the picture, by which figures are told from text; absent when there is none, or nobody looked. */
  ink?: PackedInk;
}

/** The picture of one page, PNG or JPEG, as shown. */
export interface OcrImage extends OcrView {
  bytes: Uint8Array;
}

/** Text with the place that it stands on. */
export interface OcrSpan {
  text: string;
  /** Inches from the top left corner of the page as shown. */
  box: Box;
  /** Positions of its words in the page's reading order, from 0, as references count them (`p1/w17`). */
  words: number[];
}

export interface OcrCell extends OcrSpan {
  /** From 1. */
  row: number;
  column: number;
  rowSpan: number;
  columnSpan: number;
  /** Heads a column. */
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

/** A label of a form and what is filled in for it, in one place or several; none when nothing was found. */
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

/** What is drawn on a page beside its text, level and upright as the text stands: the boxes around it, as shown. */
export interface OcrDrawing {
  /** Straight lines. */
  rules: Box[];
  /** Shaded bars that light type stands on. */
  bars: Box[];
}

export interface OcrPage {
  /** Boxes as shown; every word has a confidence. Marks of boxes to tick (documents/ticks.ts) are words in their lines. */
  page: Page;
  /** Degrees clockwise, above -180 to 180, by which the page's text is turned as shown: 0 when it stands upright. */
  angle: number;
  /** What each of `page.blocks` is, in their order; `text` where the engine does not tell. */
  roles: OcrBlockRole[];
  tables: OcrTable[];
  fields: OcrField[];
  /** Share of the picture's ink that no word's box covers, 0 to 1, where the engine measured it. */
  strayInk?: number;
  /** Of which tables are made, where the engine knows none itself. */
  drawn?: OcrDrawing;
  /** Of the picture (`OcrView.barcodes`), no engine's. */
  barcodes?: BarcodeBlock[];
  /** Figures, as shown: the engine's, where it knows any, and those that we found (figures/find.ts). */
  figures?: Box[];
}

/** What was used of a provider, for a usage event. */
export interface OcrUse {
  provider: string;
  /** The provider's name of what it did, as its prices are listed. */
  operation: string;
  features: string[];
  pages: number;
}

/** A document in Blobs: PDF, TIFF, PNG or JPEG. */
export interface OcrDocument {
  /** As the platform's Blobs have it, the organization's part included. */
  blobKey: string;
  level: OcrLevel;
  /** The same token for the same document starts it once. */
  token: string;
}

/** `reading`: these pages, and more with the cursor. `done`: the last pages. */
export type OcrProgress =
  | { status: "running" }
  | { status: "reading"; pages: OcrPage[]; cursor: string }
  | {
      status: "done";
      pages: OcrPage[];
      /** Numbers of pages that the engine could not read, of the whole document. */
      unread: number[];
      /** Of the whole document. */
      use: OcrUse;
    };

/**
 * All methods throw a JobFailure for a document that cannot be read, ServiceUnavailable (retryable) when the engine is
 * too busy, and other AppErrors for what somebody has to mend.
 */
export interface OcrEngine {
  readonly name: string;
  /** The largest picture that `recognize` takes, in bytes. */
  readonly maxImageBytes: number;
  /** Pixels along a side of any picture, of a document's pages too. */
  readonly maxSide: number;
  /** So many pictures at once keep it busy. */
  readonly parallel: number;
  recognize(image: OcrImage, level: OcrLevel, limits: WorkLimits): Promise<{ page: OcrPage; use: OcrUse }>;
  /** Absent where the engine takes pictures only: then nobody has to wait for a service. */
  readonly documents?: OcrDocuments;
}

/** What an engine takes of a document. */
export interface OcrDocumentLimits {
  /** Inches along a side of a page. */
  maxPageInches: number;
  maxBytes: number;
  maxPages: number;
}

/** Whole documents in their own time; the same errors. */
export interface OcrDocuments extends OcrDocumentLimits {
  /** @returns an id for `poll`, good for some days */
  start(document: OcrDocument, limits: WorkLimits): Promise<string>;
  /**
   * One look, at most some pages' work; an engine that reads page by page may do so here. The same call again gives the
   * same pages.
   * @param frames of all pages of the document, in order
   * @throws NotFound for an id that is not known (any more); BadRequest for a cursor of another document
   */
  poll(id: string, frames: readonly OcrFrame[], limits: WorkLimits, cursor?: string): Promise<OcrProgress>;
}

/** A page's picture in coarse cells (engine/imaging/figure-regions/ink-cells.ts), as it goes with the page. */
export interface PackedInk {
  /** Cells. */
  across: number;
  down: number;
  /** Inches of a cell's side. */
  side: number;
  /** Row by row; deflated, in base64. */
  cells: string;
}
