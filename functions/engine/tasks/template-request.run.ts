import { encodeJson } from "../../ports/json.ts";
import { valuesOfResult } from "../templates/job-values.ts";
import { readFillRequest } from "../templates/read-fill-request.ts";
import { implementTask } from "./define-task.ts";
import { templateRequestTask } from "./template-request.ts";

export const run = implementTask(templateRequestTask, (given) => {
  if ("result" in given) return { fields: encodeJson(valuesOfResult(given.result)), images: [] };
  const request = readFillRequest(given.body);
  return "fromJob" in request
    ? { fromJob: request.fromJob, images: [] }
    : { fields: encodeJson(request.fields), images: request.images };
});
