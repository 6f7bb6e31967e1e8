import { knowledgeRoutes } from "../../../functions/api/knowledge-bases.ts";
import { templateRoutes } from "../../../functions/api/templates.ts";
import { organizations } from "../access.ts";
import { apiHandler } from "../api.ts";
import { inspectingTemplateEngine, workQueue } from "../parts.ts";
import { passages } from "../passages.ts";

export const handler = apiHandler([...templateRoutes, ...knowledgeRoutes], {
  access: organizations({ documents: inspectingTemplateEngine, queue: workQueue, passages }),
});
