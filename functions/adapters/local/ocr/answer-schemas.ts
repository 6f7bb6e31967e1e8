/** Schemas of the recognition processes' answers; an answer of another shape fails its task. */
import * as z from "zod";
import type { PreparedPicture } from "../../../engine/imaging/prepare-picture.ts";
import type { Box } from "../../../ports/layout.ts";
import type { OcrDrawing, OcrPage } from "../../../ports/ocr.ts";
import type { LookAnswer, RecognizeAnswer } from "./ocr-worker.ts";

const MAX_FAULT_CHARACTERS = 1_000;
const finite = z.number();
const share = z.number().min(0).max(1);
const box: z.ZodType<Box> = z.object({ left: finite, top: finite, right: finite, bottom: finite });

const word = z.object({
  text: z.string().min(1),
  box,
  confidence: share,
  source: z.literal("ocr"),
  fontSize: z.number().positive().exactOptional(),
});

const drawn: z.ZodType<OcrDrawing> = z.object({
  rules: z.array(box),
  bars: z.array(box),
  squares: z.array(z.object({ box, ink: share })).exactOptional(),
  leaders: z.array(box).exactOptional(),
});

const block = z.object({
  kind: z.literal("paragraph"),
  box,
  lines: z.array(z.object({ box, words: z.array(word).min(1) })).min(1),
});

const ocrPage: z.ZodType<OcrPage> = z.object({
  page: z.object({
    number: z.int().positive(),
    width: z.number().positive(),
    height: z.number().positive(),
    unit: z.literal("inch"),
    rotation: z.number(),
    blocks: z.array(block),
  }),
  angle: z.number().min(-180).max(180),
  roles: z.array(z.literal("text")),
  tables: z.tuple([]),
  fields: z.tuple([]),
  strayInk: share,
  drawn,
});

const secondLookFault = z.string().max(MAX_FAULT_CHARACTERS).exactOptional();

export const recognized: z.ZodType<RecognizeAnswer> = z.object({ page: ocrPage, secondLookFault });

export const looked: z.ZodType<LookAnswer> = z.object({
  words: z
    .array(z.object({ text: z.string().min(1), confidence: share, box, line: z.int().nonnegative() }))
    .exactOptional(),
  secondLookFault,
});

const pixels = z.instanceof(Uint8Array<ArrayBuffer>);

export const prepared: z.ZodType<PreparedPicture> = z.object({
  gray: z
    .object({ width: z.int().positive(), height: z.int().positive(), pixels })
    .refine((gray) => gray.pixels.length === gray.width * gray.height),
  toPage: z.object({ a: finite, b: finite, c: finite, d: finite, e: finite, f: finite }),
  dpi: z.number().positive(),
  quarters: z.literal([0, 1, 2, 3]),
  angle: z.number().min(-180).max(180),
  threshold: z.int().min(0).max(255),
  empty: z.boolean(),
  bounds: box,
  drawn,
  ink: z.instanceof(Float32Array),
});
