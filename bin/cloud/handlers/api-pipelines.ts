import { pipelineRoutes } from "../../../functions/api/pipelines.ts";
import { organizations } from "../access.ts";
import { apiHandler } from "../api.ts";

export const handler = apiHandler(pipelineRoutes, { access: organizations({}) });
