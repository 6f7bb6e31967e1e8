import { encodeJson } from "../../ports/json.ts";
import { findFormFields } from "../forms/write/find-form-fields.ts";
import { parseLayout } from "../layout/layout-file.ts";
import { implementTask } from "./define-task.ts";
import { formDetectTask } from "./form-detect.ts";

export const run = implementTask(formDetectTask, async ({ bytes, layout, options: { pageRange, ...options } }) => {
  const pages = pageRange === undefined ? {} : { pages: pageRange };
  const recognised = layout === undefined ? {} : { recognised: parseLayout(layout).pages };
  return encodeJson(await findFormFields(bytes, options, { ...pages, ...recognised }));
});
