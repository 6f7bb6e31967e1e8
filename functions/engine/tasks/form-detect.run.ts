import { encodeJson } from "../../ports/json.ts";
import { findFormFields } from "../forms/write/find-form-fields.ts";
import { implementTask } from "./define-task.ts";
import { formDetectTask } from "./form-detect.ts";

export const run = implementTask(formDetectTask, async ({ bytes, options: { pageRange, ...options } }) =>
  encodeJson(await findFormFields(bytes, options, pageRange)),
);
