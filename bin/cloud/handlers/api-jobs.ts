import { jobRoutes } from "../../../functions/api/jobs.ts";
import { organizations } from "../access.ts";
import { apiHandler } from "../api.ts";
import { runOpenings, slots, workQueue } from "../parts.ts";

export const handler = apiHandler(jobRoutes, { access: organizations({ queue: workQueue, slots, ...runOpenings }) });
