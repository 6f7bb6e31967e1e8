/** The document engine of the functions that work on documents themselves. */
import { openLambdaDocuments } from "../../functions/adapters/aws/documents.ts";
import type { DocumentTasks } from "../../functions/core/documents/engine.ts";
import type { DocumentEngine } from "../../functions/core/ports.ts";
import type { Base } from "./base.ts";

/** @param tasks what the function carries in its bundle */
export const documents =
  (tasks: Partial<DocumentTasks>) =>
  ({ clock, config }: Base): DocumentEngine =>
    openLambdaDocuments({ clock, jobTimeoutSeconds: config.jobTimeoutSeconds, tasks });
