/** The tasks that step-reduce can ask for. `npm run generate` writes this file. */
import { run as receipt } from "../../../functions/engine/tasks/receipt.run.ts";
import { run as reduceChunkAnswers } from "../../../functions/engine/tasks/reduce-chunk-answers.run.ts";
import { run as withhold } from "../../../functions/engine/tasks/withhold.run.ts";

export const TASKS = [receipt, reduceChunkAnswers, withhold];
