import * as z from "zod";
import type { RankedFigure, RankRequest } from "../analysis/rank-figures.ts";
import { defineTask } from "./define-task.ts";
import { count } from "./number-shapes.ts";
import { bytes, shaped } from "./shapes.ts";

interface FigureFiles {
  layout: Uint8Array;
  /** `figures.json` of the run that found them. */
  figures: Uint8Array;
}

/** `ranked`: matching figures, best first. `all`: every figure of the requested pages, in document order. */
const figures: z.ZodType<RankedFigure[]> = z.array(
  z.object({ id: z.string(), pageNumber: count, score: z.number(), reason: z.string(), text: z.string() }),
);

/** Ranks figures by their captions and the text around them. */
export const chooseFiguresTask = defineTask({
  name: "rankFigures",
  input: shaped<RankRequest & FigureFiles>(z.looseObject({ layout: bytes, figures: bytes })),
  output: z.object({ ranked: figures, all: figures }),
});
