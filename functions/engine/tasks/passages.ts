import * as z from "zod";
import { defineTask } from "./define-task.ts";
import { bytes } from "./shapes.ts";

/** Cuts a layout into passages for searching: the files of the passages and of their terms. */
export const passagesTask = defineTask({
  name: "passages",
  input: z.object({ layout: bytes }),
  output: z.object({ passages: bytes, terms: bytes, count: z.number() }),
});
