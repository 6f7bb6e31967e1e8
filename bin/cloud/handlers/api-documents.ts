import { documentRoutes } from "../../../functions/api/documents.ts";
import { organizations } from "../access.ts";
import { apiHandler } from "../api.ts";
import { remoteEngine, runStarts, slots, workQueue } from "../parts.ts";

export const handler = apiHandler(documentRoutes, {
  access: organizations({ documents: remoteEngine, ...runStarts, queue: workQueue, slots }),
});
