import { templateRoutes } from "../../../functions/api/templates.ts";
import { organizations } from "../access.ts";
import { apiHandler } from "../api.ts";
import { inspectingTemplateEngine, workQueue } from "../parts.ts";

export const handler = apiHandler(templateRoutes, {
  access: organizations({ documents: inspectingTemplateEngine, queue: workQueue }),
});
