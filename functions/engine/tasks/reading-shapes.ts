/** Shapes of a document that was read. */
import * as z from "zod";
import type { ReadingFacts } from "../readers/reading.ts";
import { count, share } from "./number-shapes.ts";
import { bytes } from "./shapes.ts";

/** A document, read but perhaps not yet recognised. */
export interface Reading {
  /** Encoded by engine/layout/layout-file.ts. */
  layout: Uint8Array;
  /** Text quality of each page (engine/ocr/quality), UTF-8 JSON. */
  quality: Uint8Array;
  facts: ReadingFacts;
  /** Numbers of the pages to recognise, or to recognise again at a higher level. */
  pending: number[];
  /** Pending pages with a sufficient text layer; PREMIUM recognises them while there is time. */
  spare?: number[];
}

const readingFacts: z.ZodType<ReadingFacts> = z.object({
  provider: z.string(),
  pageCount: count,
  wordCount: count,
  characterCount: count,
  quality: z.object({ score: share, category: z.string() }).exactOptional(),
});

export const reading: z.ZodType<Reading> = z.object({
  layout: bytes,
  quality: bytes,
  facts: readingFacts,
  pending: z.array(count),
  spare: z.array(count).exactOptional(),
});
