import * as z from "zod";
import { defineTask } from "./define-task.ts";
import { bytes } from "./shapes.ts";

/**
 * Makes a plain copy of a PDF that opens with a password; a document without encryption, or of another format, is
 * returned as it is. Throws JobFailure. Neither payload nor answer is ever kept.
 */
export const unlockTask = defineTask({
  name: "unlock",
  input: z.object({ bytes, mimeType: z.string(), password: z.string() }),
  output: bytes,
});
