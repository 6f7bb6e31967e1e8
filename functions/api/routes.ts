/** The route table: one handler for each resource, each with its routes. */
import { auditRoutes } from "./audit.ts";
import { batchRoutes } from "./batches.ts";
import { billingRoutes } from "./billing.ts";
import { caseRoutes } from "./cases.ts";
import { configurationRoutes } from "./configurations.ts";
import { documentRoutes } from "./documents.ts";
import type { Route } from "./http/route.ts";
import { jobRoutes } from "./jobs.ts";
import { keyRoutes } from "./keys.ts";
import { knowledgeRoutes } from "./knowledge-bases.ts";
import { operationRoutes } from "./operations.ts";
import { pageRoutes } from "./pages.ts";
import { paymentRoutes } from "./payments.ts";
import { pipelineRoutes } from "./pipelines.ts";
import { providerRoutes } from "./providers.ts";
import { serviceRoutes } from "./service.ts";
import { settingsRoutes } from "./settings.ts";
import { templateRoutes } from "./templates.ts";

export const RESOURCES: Record<string, readonly Route[]> = {
  documents: documentRoutes,
  // Searching needs the words of all languages, which would make another function start later.
  cases: [...caseRoutes, ...knowledgeRoutes],
  batches: batchRoutes,
  jobs: jobRoutes,
  operations: operationRoutes,
  pages: pageRoutes,
  pipelines: pipelineRoutes,
  configurations: configurationRoutes,
  templates: templateRoutes,
  // All are small: a function of its own would cost resources, of which a stack has few.
  settings: [...settingsRoutes, ...keyRoutes, ...auditRoutes, ...paymentRoutes, ...providerRoutes],
  billing: billingRoutes,
  service: serviceRoutes,
};

export const ROUTES: readonly Route[] = Object.values(RESOURCES).flat();

/** API Gateway's name for a route. */
export const routeKey = (route: Pick<Route, "method" | "path">): string => `${route.method} ${route.path}`;
