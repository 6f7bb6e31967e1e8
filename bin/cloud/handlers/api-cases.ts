import { caseRoutes } from "../../../functions/api/cases.ts";
import { knowledgeRoutes } from "../../../functions/api/knowledge-bases.ts";
import { runEstimates } from "../../../functions/service/runs/estimate-run.ts";
import { organizations } from "../access.ts";
import { apiHandler } from "../api.ts";
import { documentVault, remoteEngine, runStarts, slots, workQueue } from "../parts.ts";
import { passages } from "../passages.ts";

export const handler = apiHandler([...caseRoutes, ...knowledgeRoutes], {
  access: organizations({
    estimates: runEstimates,
    documents: remoteEngine,
    documentVault,
    ...runStarts,
    queue: workQueue,
    slots,
    passages,
  }),
});
