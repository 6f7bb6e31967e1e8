import { documentRoutes } from "../../../functions/api/documents.ts";
import { runEstimates } from "../../../functions/service/runs/estimate-run.ts";
import { organizations } from "../access.ts";
import { apiHandler } from "../api.ts";
import { documentVault, remoteEngine, runStarts, slots, workQueue } from "../parts.ts";

export const handler = apiHandler(documentRoutes, {
  access: organizations({
    estimates: runEstimates,
    documents: remoteEngine,
    documentVault,
    ...runStarts,
    queue: workQueue,
    slots,
  }),
});
