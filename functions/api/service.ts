/** Public routes of the service: health and the API document. */
import * as z from "zod";
import { ServiceUnavailable } from "../ports/errors.ts";
import { ok } from "./http/reply.ts";
import { publicRoute } from "./http/route.ts";
import { referencePage, referenceScript } from "./reference.ts";
import { Health } from "./schemas/replies.ts";

const TAG = "Service";
/** Seconds: checks and a start take about that long. */
const RETRY_AFTER_SECONDS = 5;

export const health = publicRoute({
  method: "GET",
  path: "/health",
  tag: TAG,
  summary: "Whether the service is ready, and which engines are on",
  replies: { 200: { description: "It is ready", schema: Health } },
  errors: [503],
  async run(_input, facts) {
    const why = await facts.unready?.();
    if (why !== undefined) throw new ServiceUnavailable(why, { retryAfter: RETRY_AFTER_SECONDS });
    return ok({ status: "ok", version: facts.version, engines: facts.engines() });
  },
});

export const openapi = publicRoute({
  method: "GET",
  path: "/openapi.json",
  tag: TAG,
  summary: "This API as an OpenAPI 3.1 document",
  replies: { 200: { description: "The document", schema: z.looseObject({ openapi: z.string() }) } },
  async run(_input, facts) {
    return { kind: "bytes", status: 200, body: Buffer.from(facts.openapi()), contentType: "application/json" };
  },
});

export const serviceRoutes = [health, openapi, referencePage, referenceScript];
