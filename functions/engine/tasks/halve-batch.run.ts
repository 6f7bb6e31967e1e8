import { halveBatch } from "../extraction/prompts/field-batches.ts";
import { implementTask } from "./define-task.ts";
import { halveBatchTask } from "./halve-batch.ts";

export const run = implementTask(halveBatchTask, ({ batch }) => halveBatch(batch) ?? []);
