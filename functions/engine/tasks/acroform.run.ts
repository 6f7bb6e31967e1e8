import { acroFormMetadata } from "../forms/acroform/acroform-metadata.ts";
import { acroFormTask } from "./acroform.ts";
import { implementTask } from "./define-task.ts";
import { toJson } from "./write.ts";

export const run = implementTask(acroFormTask, async ({ bytes }) => toJson(await acroFormMetadata(bytes)));
