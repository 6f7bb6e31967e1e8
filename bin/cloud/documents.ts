/** The document engine of the functions that read documents themselves. */
import { openLambdaDocuments } from "../../functions/adapters/aws/documents.ts";
import type { DocumentEngine } from "../../functions/core/ports.ts";
import type { Base } from "./base.ts";

export const documents = ({ clock, config }: Base): DocumentEngine =>
  openLambdaDocuments({ clock, jobTimeoutSeconds: config.jobTimeoutSeconds });
