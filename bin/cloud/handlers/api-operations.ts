import { operationRoutes } from "../../../functions/api/operations.ts";
import { runEstimates } from "../../../functions/service/runs/estimate-run.ts";
import { organizations } from "../access.ts";
import { apiHandler } from "../api.ts";
import { remoteEngine, runStarts } from "../parts.ts";

export const handler = apiHandler(operationRoutes, {
  access: organizations({ documents: remoteEngine, estimates: runEstimates, ...runStarts }),
});
