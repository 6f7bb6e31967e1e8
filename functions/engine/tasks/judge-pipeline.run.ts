import { judgePipeline } from "../nodes/judge-pipeline.ts";
import { implementTask } from "./define-task.ts";
import { judgePipelineTask } from "./judge-pipeline.ts";

export const run = implementTask(judgePipelineTask, ({ text }) => judgePipeline(JSON.parse(text)));
