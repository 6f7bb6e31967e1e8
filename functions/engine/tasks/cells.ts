import * as z from "zod";
import { defineTask } from "./define-task.ts";
import { bytes } from "./shapes.ts";

/** Reads the cells of a workbook, one JSON line per row. Throws JobFailure. */
export const cellsTask = defineTask({
  name: "cells",
  input: z.object({ bytes }),
  output: bytes,
});
