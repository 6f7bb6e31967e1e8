import { encodeJson } from "../../ports/json.ts";
import { readFillRequest } from "../templates/read-fill-request.ts";
import { implementTask } from "./define-task.ts";
import { templateRequestTask } from "./template-request.ts";

export const run = implementTask(templateRequestTask, ({ body }) => {
  const request = readFillRequest(body);
  return "fromJob" in request
    ? { fromJob: request.fromJob, images: [] }
    : { fields: encodeJson(request.fields), images: request.images };
});
