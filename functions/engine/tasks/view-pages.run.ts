import { viewPart } from "../layout/view-part.ts";
import { implementTask } from "./define-task.ts";
import { viewPagesTask } from "./view-pages.ts";

export const run = implementTask(viewPagesTask, viewPart);
