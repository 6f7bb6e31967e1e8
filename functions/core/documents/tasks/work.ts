/** ModelWork by the tasks' names, whoever runs them. */
import type { ModelWork } from "../../extraction/model/work.ts";
import type { WorkLimits } from "../../ports.ts";
import type { modelTasks } from "./model.ts";

type ModelTasks = typeof modelTasks;

/** Runs a task of that name. */
export type RunModelTask = <Name extends keyof ModelTasks>(
  name: Name,
  payload: Parameters<ModelTasks[Name]>[0],
  limits: WorkLimits,
) => Promise<Awaited<ReturnType<ModelTasks[Name]>>>;

export const modelWork = (run: RunModelTask): ModelWork => ({
  plan: (task, limits) => run("planModel", task, limits),
  halve: (batch, limits) => run("halveModelBatch", { batch }, limits),
  readAnswers: (task, limits) => run("readModelAnswers", task, limits),
  correct: (task, limits) => run("correctModelData", task, limits),
  conclude: (task, limits) => run("concludeModelData", task, limits),
  readPages: (task, limits) => run("readModelPages", task, limits),
  readSchema: (task, limits) => run("readModelSchema", task, limits),
});
