import * as z from "zod";
import { defineTask } from "./define-task.ts";
import { bytes } from "./shapes.ts";
import { templateLost } from "./template-lost.ts";

/**
 * Reads the body of a request to fill a template: JSON of many megabytes, which only a process of the pool parses.
 * Throws BadRequest for a body that is no such request, UnprocessableEntity for a result without fields.
 */
export const templateRequestTask = defineTask({
  name: "templateRequest",
  input: z.union([
    z.object({ body: bytes }),
    /** The result of a job, JSON: its values are the request's. */
    z.object({ result: bytes }),
  ]),
  output: z.object({
    /** The values, UTF-8 JSON of an object; absent where `fromJob` is given. */
    fields: bytes.exactOptional(),
    fromJob: z.string().exactOptional(),
    /** The `_ref` of each picture that the values name, once each. */
    images: z.array(z.string()),
  }),
  lost: templateLost("The values could not be read"),
});
