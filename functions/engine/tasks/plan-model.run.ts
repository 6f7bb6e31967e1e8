import { planExtraction } from "../extraction/prompts/extraction-plan.ts";
import { modelContent } from "../extraction/prompts/model-content.ts";
import { parseLayout } from "../layout/layout-file.ts";
import { implementTask } from "./define-task.ts";
import { planModelTask } from "./plan-model.ts";

export const run = implementTask(planModelTask, ({ layout, request }) => {
  const { pageRange, ...rest } = request;
  return planExtraction(modelContent(parseLayout(layout), pageRange === undefined ? {} : { pageRange }), rest);
});
