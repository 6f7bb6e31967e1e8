import { measureRequests } from "../extraction/prompts/measure-requests.ts";
import { modelContent } from "../extraction/prompts/model-content.ts";
import { readDocument } from "../readers/read-document.ts";
import { implementTask } from "./define-task.ts";
import { measureTask } from "./measure.ts";

export const run = implementTask(measureTask, async ({ bytes, options, request }) => {
  const { layout, pending } = await readDocument(bytes, { ...options, mayBeEmpty: true });
  const requests = request === undefined ? undefined : measureRequests(modelContent(layout), request);
  return {
    pages: layout.pages.length,
    pending: pending.length,
    ...(requests === undefined ? {} : { requests }),
  };
});
