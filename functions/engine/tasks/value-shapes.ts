/** Shapes of values, their places and faults. */
import * as z from "zod";
import { count, share } from "./number-shapes.ts";

export const granularity = z.enum(["auto", "block", "word"]);

/** Numbers of values with and without a source location, and the confidence of the whole. */
export const located = z.object({ found: count, unresolved: count, confidence: share.nullable() });

/** Faults of data against its schema: JSON pointers with sentences. */
export const faults = z.array(z.object({ pointer: z.string(), message: z.string() }));

/** Pointers of items, each with its row. */
export const placedItems = z.array(z.tuple([z.string(), count]));
