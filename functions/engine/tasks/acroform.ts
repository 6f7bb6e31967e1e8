import * as z from "zod";
import { defineTask } from "./define-task.ts";
import { bytes } from "./shapes.ts";

/**
 * Reads the AcroForm of a PDF, UTF-8 JSON. Throws BadRequest for another format, UnprocessableEntity for an unreadable
 * PDF or a wrong password.
 */
export const acroFormTask = defineTask({
  name: "acroForm",
  input: z.object({ bytes, password: z.string().exactOptional() }),
  output: bytes,
});
