import { jobRoutes } from "../../../functions/api/jobs.ts";
import { organizations } from "../access.ts";
import { apiHandler } from "../api.ts";

export const handler = apiHandler(jobRoutes, { access: organizations({}) });
