/** Shapes of numbers. */
import * as z from "zod";

/** A whole number from 0. */
export const count = z.int().nonnegative();
/** From 0 to 1. */
export const share = z.number().min(0).max(1);
