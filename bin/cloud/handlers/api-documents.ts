import { documentRoutes } from "../../../functions/api/documents.ts";
import { organizations } from "../access.ts";
import { apiHandler } from "../api.ts";
import { remoteInspection, stepFunctions, workQueue } from "../parts.ts";

export const handler = apiHandler(documentRoutes, {
  access: organizations({ documents: remoteInspection, workflows: stepFunctions, queue: workQueue }),
});
