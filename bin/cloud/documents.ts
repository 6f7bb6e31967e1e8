/** The document engine of the functions that work on documents themselves. */
import { openLambdaDocuments } from "../../functions/adapters/aws/documents.ts";
import type { DocumentTasks } from "../../functions/engine/tasks/engine.ts";
import type { DocumentEngine } from "../../functions/ports/engine.ts";
import type { Base } from "./base.ts";

/** @param tasks what the function carries in its bundle */
export const documents =
  (tasks: Partial<DocumentTasks>) =>
  ({ clock, config }: Base): DocumentEngine =>
    openLambdaDocuments({ clock, jobTimeoutSeconds: config.jobTimeoutSeconds, tasks });
