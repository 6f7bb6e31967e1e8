import { batchRoutes } from "../../../functions/api/batches.ts";
import { runEstimates } from "../../../functions/service/runs/estimate-run.ts";
import { organizations } from "../access.ts";
import { apiHandler } from "../api.ts";
import { documentVault, remoteEngine, runStarts } from "../parts.ts";

export const handler = apiHandler(batchRoutes, {
  access: organizations({ estimates: runEstimates, documents: remoteEngine, documentVault, ...runStarts }),
});
