/** Public routes of the service: health and the API document. */
import * as z from "zod";
import { ok } from "./http/reply.ts";
import { publicRoute } from "./http/route.ts";
import { Health } from "./schemas/replies.ts";

const TAG = "Service";

export const health = publicRoute({
  method: "GET",
  path: "/health",
  tag: TAG,
  summary: "Whether the service is ready, and which engines are on",
  replies: { 200: { description: "It is ready", schema: Health } },
  async run(_input, facts) {
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

export const serviceRoutes = [health, openapi];
