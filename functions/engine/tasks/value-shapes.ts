/** Shapes of values, their places and faults. */
import * as z from "zod";
import type { StatedLimit } from "../extraction/answers/stated-limits.ts";
import { count, share } from "./number-shapes.ts";
import { shaped } from "./shapes.ts";

export const granularity = z.enum(["auto", "block", "word"]);

/** Numbers of values with and without a source location, and the confidence of the whole. */
export const located = z.object({ found: count, unresolved: count, confidence: share.nullable() });

/** Faults of data against its schema: JSON pointers with sentences. */
export const faults = z.array(z.object({ pointer: z.string(), message: z.string() }));

/** Limits of lists as a model states them. */
export const statedLimits = shaped<StatedLimit[]>(z.array(z.looseObject({ list: z.string(), reason: z.string() })));

/** Rows of the pages that a model declared to be in no list. */
export const rejectedRows = z.array(z.object({ order: count, page: count, text: z.string() }));

/** Pointers of items, each with its row. */
export const placedItems = z.array(z.tuple([z.string(), count]));
