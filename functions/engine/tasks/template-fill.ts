import * as z from "zod";
import { defineTask } from "./define-task.ts";
import { bytes } from "./shapes.ts";
import { templateLost } from "./template-lost.ts";

/**
 * Fills a template with values. Throws BadRequest for values that the template does not take, naming the fields, Conflict
 * for flattening a signed file, UnsupportedMediaType and UnprocessableEntity as `templateFields` does.
 */
export const templateFillTask = defineTask({
  name: "templateFill",
  input: z.object({
    bytes,
    mimeType: z.string(),
    request: z.object({
      /** Values by field name, UTF-8 JSON of an object. */
      fields: bytes,
      /** The pictures that the values name. One that is absent here is refused by its `_ref`. */
      images: z.array(z.object({ ref: z.string(), bytes })),
      flatten: z.boolean(),
      missingIsError: z.boolean(),
      ignoreUnknown: z.boolean(),
    }),
  }),
  output: z.object({
    bytes,
    contentType: z.string(),
    /** Names of the request that the template does not have, the first thousand. */
    unknownFields: z.array(z.string()),
    /** True when the owner's restrictions are gone from the filled file. */
    restrictionsDropped: z.boolean(),
  }),
  lost: templateLost("The template could not be filled"),
});
