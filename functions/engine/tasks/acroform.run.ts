import { encodeJson } from "../../ports/json.ts";
import { acroFormMetadata } from "../forms/acroform/acroform-metadata.ts";
import { acroFormTask } from "./acroform.ts";
import { implementTask } from "./define-task.ts";

export const run = implementTask(acroFormTask, async ({ bytes }) => encodeJson(await acroFormMetadata(bytes)));
