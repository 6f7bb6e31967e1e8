/** The engine of functions that process documents themselves. */
import { type CarriedTask, openLambdaEngine } from "../../functions/adapters/aws/lambda-engine.ts";
import type { Engine } from "../../functions/ports/engine.ts";
import type { Base } from "./base.ts";

/** @param tasks the tasks in the function's bundle */
export const carrying =
  (...tasks: CarriedTask[]) =>
  ({ clock, config }: Base): Engine =>
    openLambdaEngine({ clock, jobTimeoutSeconds: config.jobTimeoutSeconds, tasks });
