import * as z from "zod";
import { defineTask } from "./define-task.ts";
import { bytes } from "./shapes.ts";

/** The cells of a workbook, a JSON line each. Throws JobFailure. */
export const cellsTask = defineTask({
  name: "cells",
  input: z.object({ bytes }),
  output: bytes,
});
