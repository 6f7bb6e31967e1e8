import { batchRoutes } from "../../../functions/api/batches.ts";
import { organizations } from "../access.ts";
import { apiHandler } from "../api.ts";
import { documentVault, remoteEngine, runStarts } from "../parts.ts";

export const handler = apiHandler(batchRoutes, {
  access: organizations({ documents: remoteEngine, documentVault, ...runStarts }),
});
