import { operationRoutes } from "../../../functions/api/operations.ts";
import { organizations } from "../access.ts";
import { apiHandler } from "../api.ts";
import { runStarts } from "../parts.ts";

export const handler = apiHandler(operationRoutes, { access: organizations({ ...runStarts }) });
