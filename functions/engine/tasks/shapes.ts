/** Shapes shared by several tasks. */
import * as z from "zod";
import type { Json } from "../../ports/json.ts";
import type { Line } from "../../ports/layout.ts";
import type { ReadingFacts } from "../readers/reading.ts";

/** Not `z.instanceof`, which makes every bundle that names a task larger. */
export const bytes: z.ZodType<Uint8Array> = z.custom<Uint8Array>((value) => value instanceof Uint8Array);
/** A whole number from 0. */
export const count = z.int().nonnegative();
/** From 0 to 1. */
export const share = z.number().min(0).max(1);

/** A value of the type T that the service or its model made. Only its presence is checked. */
export const typed = <T>(): z.ZodType<T> => z.custom<T>((value) => value !== undefined);

/** A value of the type T, checked against the coarser shape `outline`. */
export const shaped = <T>(outline: z.ZodType): z.ZodType<T> => outline as z.ZodType<unknown> as z.ZodType<T>;

/** A schema, a result or a part of one, as JSON. */
export const json = typed<Json>();

export const granularity = z.enum(["auto", "block", "word"]);

/** Numbers of values with and without a source location, and the confidence of the whole. */
export const located = z.object({ found: count, unresolved: count, confidence: share.nullable() });

/** Faults of data against its schema: JSON pointers with sentences. */
export const faults = z.array(z.object({ pointer: z.string(), message: z.string() }));

/** Pointers of items, each with its row. */
export const placedItems = z.array(z.tuple([z.string(), count]));

export const ocrLevel = z.enum(["LOW", "DEFAULT", "PREMIUM"]);

const frame = z.object({
  width: z.number().positive(),
  height: z.number().positive(),
  rotation: z.union([z.literal(0), z.literal(90), z.literal(180), z.literal(270)]).exactOptional(),
});

/** Members of an OcrView (ports/ocr.ts). */
export const view = {
  pageNumber: count,
  frame,
  strip: z
    .object({ index: count, count, page: frame, left: z.number().nonnegative(), top: z.number().nonnegative() })
    .exactOptional(),
  barcodes: z
    .array(
      z.object({
        kind: z.literal("barcode"),
        box: z.object({ left: z.number(), top: z.number(), right: z.number(), bottom: z.number() }),
        lines: shaped<Line[]>(z.array(z.unknown()).max(0)),
        format: z.string(),
        value: z.string(),
        confidence: share,
      }),
    )
    .exactOptional(),
  ink: z
    .object({ across: count.positive(), down: count.positive(), side: z.number().positive(), cells: z.base64() })
    .exactOptional(),
};

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
