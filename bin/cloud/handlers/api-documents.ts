import { documentRoutes } from "../../../functions/api/documents.ts";
import { organizations } from "../access.ts";
import { apiHandler } from "../api.ts";
import { remoteEngine, stepFunctions, workQueue } from "../parts.ts";

export const handler = apiHandler(documentRoutes, {
  access: organizations({ documents: remoteEngine, workflows: stepFunctions, queue: workQueue }),
});
