/** The work on documents as a port: contained wherever it runs, bytes in and bytes out. */

import type { OperationWork } from "../engine/analysis/operation-tasks.ts";
import type { ReceiptWork } from "../engine/completeness/completeness-tasks.ts";
import type { MapReduceWork } from "../engine/extraction/chunks/chunk-tasks.ts";
import type { ModelWork } from "../engine/extraction/model-tasks.ts";
import type { NodeWork } from "../engine/nodes/compute-node.ts";
import type { RecognisedPages } from "../engine/ocr/complete-document.ts";
import type { Json } from "./json.ts";
import type { WorkLimits } from "./limits.ts";
import type { OcrDocumentLimits, OcrEngine, OcrImage, OcrLevel, OcrView } from "./ocr.ts";

/** Facts about a document that was read; small enough for a record. */
export interface ReadingFacts {
  provider: string;
  pageCount: number;
  wordCount: number;
  characterCount: number;
  /** Of the quality report, where one was made. */
  quality?: { score: number; category: string };
}

/**
 * How a page's text is found. NONE: its text layer only. DEFAULT: recognised where that is missing or cannot be
 * trusted. AUTO: as DEFAULT, and again with all care where the outcome is poor. PREMIUM: recognised with all care. LOW:
 * recognised as fast as may be, text without places.
 */
export type OcrMode = "NONE" | "LOW" | "DEFAULT" | "AUTO" | "PREMIUM" | "EXCEL";

export interface ReadingOptions {
  mimeType: string;
  /** 1-based; pages that do not exist are ignored; absent: all. */
  pageRange?: number[];
  /** DEFAULT when absent. */
  ocr?: OcrMode;
  /** A document without a word is no failure: something else in it is asked for. */
  mayBeEmpty?: boolean;
}

/** What was read of a document so far. */
export interface Reading {
  /** engine/layout/layout-file.ts */
  layout: Uint8Array;
  /** core/ocr/quality: how good the text of each page is, UTF-8 JSON. */
  quality: Uint8Array;
  facts: ReadingFacts;
  /** Numbers of the pages whose text is still to be recognised, or to be recognised again with more care. */
  pending: number[];
  /** Those of them whose text layer would do: with all care they are looked at too, while there is time. */
  spare?: number[];
}

/** What a run asks for beside the text. */
export interface ExtrasOptions {
  mimeType: string;
  /** As ReadingOptions. */
  pageRange?: number[];
  barcodes: boolean;
  figures: boolean;
  acroForm: boolean;
}

/** UTF-8 JSON each, where it was asked for. */
export interface Extras {
  barcodes?: Uint8Array;
  figures?: { list: Uint8Array; images: { id: string; mimeType: string; bytes: Uint8Array }[] };
  acroForm?: Uint8Array;
}

/** A page to be drawn. */
export interface PictureOptions {
  mimeType: string;
  /** From 1. */
  pageNumber: number;
  level: OcrLevel;
  /** The picture may have so many. */
  maxBytes: number;
  /** Pixels along a side. */
  maxSide?: number;
  /** From 0: of a page that is too long to be read in one picture, which strip. Absent: the whole page, however small. */
  strip?: number;
}

/** Pages to be drawn into one document. */
export interface PicturesPdfOptions {
  mimeType: string;
  pageNumbers: number[];
  level: OcrLevel;
  limits: OcrDocumentLimits & Pick<OcrEngine, "maxSide">;
}

/** A page to be looked at. */
export interface PageImageOptions {
  mimeType: string;
  /** From 0. */
  pageIndex: number;
  /** What is drawn on it: source locations as UTF-8 JSON, and which of their pointers; none named: all. */
  marks?: { sources: Uint8Array; pointers: string[] };
}

/**
 * Work on a document's bytes, contained: a hostile document costs its process, not the service. On one machine a pool
 * of forked processes; in the cloud the Lambda function itself. Large answers stay bytes, unparsed in the service.
 */
export interface DocumentEngine {
  /** Bytes → layout (ports/layout.ts as UTF-8 JSON). @throws JobFailure with the contract's sentence */
  read(bytes: Uint8Array, options: ReadingOptions, limits: WorkLimits): Promise<Reading>;
  /** Puts recognised pages into what was read. @throws JobFailure (no text) when there is still none */
  complete(
    reading: Pick<Reading, "layout" | "quality">,
    recognised: RecognisedPages,
    limits: WorkLimits,
  ): Promise<Reading>;
  /** A page as a picture for recognition, or a strip of it. @throws JobFailure */
  picture(bytes: Uint8Array, options: PictureOptions, limits: WorkLimits): Promise<OcrImage>;
  /**
   * Pictures of some pages in one PDF, for engines that take whole documents; `views` are what its pages show, in their
   * order: long pages have several. @throws JobFailure
   */
  picturesPdf(
    bytes: Uint8Array,
    options: PicturesPdfOptions,
    limits: WorkLimits,
  ): Promise<{ pdf: Uint8Array; views: OcrView[] }>;
  /** What else is in a document. @throws JobFailure */
  extras(bytes: Uint8Array, layout: Uint8Array, options: ExtrasOptions, limits: WorkLimits): Promise<Extras>;
  /** The form of a PDF, UTF-8 JSON. @throws BadRequest for no PDF; UnprocessableEntity when it cannot be read */
  acroForm(bytes: Uint8Array, limits: WorkLimits): Promise<Uint8Array>;
  /** The cells of a workbook, a JSON line each. @throws JobFailure */
  cells(bytes: Uint8Array, limits: WorkLimits): Promise<Uint8Array>;
  /** What a document is, or a JSON Schema of what it states, without a model; UTF-8 JSON. */
  describe(
    layout: Uint8Array,
    request: { what: "analysis" | "schema"; instructions?: string },
    limits: WorkLimits,
  ): Promise<Uint8Array>;
  /** A page as a PNG to look at. @throws NotFound when there is no such page, JobFailure */
  pageImage(bytes: Uint8Array, options: PageImageOptions, limits: WorkLimits): Promise<Uint8Array>;
  /** Layout → text in one of the three output formats, UTF-8. */
  transcribe(layout: Uint8Array, format: "plain" | "markdown" | "jsonl", limits: WorkLimits): Promise<Uint8Array>;
  /** Layout + schema → result and source locations, both UTF-8 JSON, without a model. */
  extract(
    layout: Uint8Array,
    request: {
      schema?: Json;
      prompt?: string;
      granularity: "auto" | "block" | "word";
      barcodes?: Uint8Array;
      /** Fills what the document does not have (engine/extraction/rules/given-values.ts). */
      given?: Json;
    },
    limits: WorkLimits,
  ): Promise<{
    result: Uint8Array;
    sources: Uint8Array;
    facts: { found: number; unresolved: number; confidence: number | null };
    /** Pointers of leaves that were filled with what is given, and where it stands there. */
    filled?: [string, string][];
  }>;
  /** What an extraction with a model needs besides the model. */
  readonly model: ModelWork;
  /** What a document in chunks needs: the chunks, and their answers as one. */
  readonly mapReduce: MapReduceWork;
  /** The rows of a document's pages, held against the lists of a result. */
  readonly rows: ReceiptWork;
  /** What operations on finished jobs need of layouts and results. */
  readonly operations: OperationWork;
  /** What nodes of pipelines make of what others left. */
  readonly nodes: NodeWork;
  /** Where the values of a result stand on the page, UTF-8 JSON. */
  locate(
    layout: Uint8Array,
    result: Uint8Array,
    request: { granularity: "auto" | "block" | "word"; schema?: Json; acroForm?: Uint8Array },
    limits: WorkLimits,
  ): Promise<{ sources: Uint8Array; facts: { found: number; unresolved: number; confidence: number | null } }>;
  /** First look at an upload: does it open at all? @throws UnprocessableEntity when it does not */
  inspect(bytes: Uint8Array, mimeType: string, limits: WorkLimits): Promise<{ pageCount: number | null }>;
  close(): Promise<void>;
}
