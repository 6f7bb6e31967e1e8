import { parseFields } from "../templates/read-fill-request.ts";
import { templateFormat } from "../templates/template-formats.ts";
import { implementTask } from "./define-task.ts";
import { templateFillTask } from "./template-fill.ts";

/** Names that are told: a header has room for no more, and a request may have hundreds of thousands. */
const MAX_UNKNOWN_NAMES = 1_000;

export const run = implementTask(templateFillTask, async ({ bytes, mimeType, request }) => {
  const { fields, images, ...options } = request;
  const filled = await (await templateFormat(mimeType)).fill(bytes, {
    ...options,
    fields: parseFields(fields),
    images: new Map(images.map((image) => [image.ref, image.bytes])),
  });
  return { contentType: mimeType, ...filled, unknownFields: filled.unknownFields.slice(0, MAX_UNKNOWN_NAMES) };
});
