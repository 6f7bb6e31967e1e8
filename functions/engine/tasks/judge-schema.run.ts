import { judgeSchema } from "../schema/judge-schema.ts";
import { implementTask } from "./define-task.ts";
import { judgeSchemaTask } from "./judge-schema.ts";

export const run = implementTask(judgeSchemaTask, ({ text }) => judgeSchema(JSON.parse(text)));
