import * as z from "zod";
import { defineTask } from "./define-task.ts";
import { bytes } from "./shapes.ts";

/** The form of a PDF, UTF-8 JSON. Throws BadRequest for no PDF; UnprocessableEntity when it cannot be read. */
export const acroFormTask = defineTask({
  name: "acroForm",
  input: z.object({ bytes }),
  output: bytes,
});
