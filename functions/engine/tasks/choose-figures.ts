import * as z from "zod";
import type { RankedFigure, RankRequest } from "../analysis/rank-figures.ts";
import { defineTask } from "./define-task.ts";
import { bytes, count, shaped } from "./shapes.ts";

interface FigureFiles {
  layout: Uint8Array;
  /** `figures.json` of the run that found them. */
  figures: Uint8Array;
}

/** `ranked`: those that fit, the best first. `all`: every one of the pages asked for, in the document's order. */
const figures: z.ZodType<RankedFigure[]> = z.array(
  z.object({ id: z.string(), pageNumber: count, score: z.number(), reason: z.string(), text: z.string() }),
);

/** Figures by what is said of them. */
export const chooseFiguresTask = defineTask({
  name: "rankFigures",
  input: shaped<RankRequest & FigureFiles>(z.looseObject({ layout: bytes, figures: bytes })),
  output: z.object({ ranked: figures, all: figures }),
});
