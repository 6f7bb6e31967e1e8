/** The errors of the API, and the headers that all answers share, as the OpenAPI document has them. */
import type { Route } from "./route.ts";

type JsonObject = Record<string, unknown>;

const ERROR_DESCRIPTIONS: Record<number, string> = {
  400: "Malformed or invalid request; `errors` names each offending member",
  401: "No API key, or one that is malformed, unknown, revoked or expired",
  402: "The token balance is exhausted",
  403: "The API key lacks the scope, or a quota is spent",
  404: "Unknown, or a resource of another organization",
  408: "The request or its body stopped coming",
  409: "In conflict with the state of the resource",
  415: "A media type that is not supported, or that the content cannot be",
  421: "One machine with the default key: a `Host` that is not this machine's, nor one of SHEAF_ALLOWED_HOSTS",
  429: "More requests than the rate limit lets pass, too many at once, or many with refused keys; `Retry-After` says when to try again",
  431: "The address and the headers are over the server's limit",
  422: "A corrupted or empty document, or an invalid JSON Schema",
  500: "An error of the service",
  503: "Maintenance, overload or a fault of the service's machine; `Retry-After` says when to try again",
  507: "No room is left to keep what was sent; `Retry-After` says when to try again",
};

const integerHeader = (description: string): JsonObject => ({ description, schema: { type: "integer" } });
/** The headers that answers share. */
export const HEADERS: Readonly<Record<string, JsonObject>> = {
  "X-Request-Id": { description: "Names the request in the logs", schema: { type: "string" } },
  "X-RateLimit-Limit": integerHeader("Requests a minute"),
  "X-RateLimit-Remaining": integerHeader("Requests left now; after a pause more than a minute's, up to the burst"),
  "X-RateLimit-Reset": integerHeader("Unix seconds at which all of them are there again"),
};
const headerReferences = (...names: string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
const REQUEST_ID_HEADER = headerReferences("X-Request-Id");
/** Headers of answers to authenticated requests while a rate limit is on. */
const RATE_LIMIT_HEADERS = headerReferences("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset");

/** The headers of a route's answers. */
export const headersOf = (route: Route): JsonObject =>
  route.scope === null ? REQUEST_ID_HEADER : { ...REQUEST_ID_HEADER, ...RATE_LIMIT_HEADERS };

/** The statuses of a route's errors. */
export function errorStatuses(route: Route): number[] {
  const open = route.method === "GET" ? [421, 431, 500] : [421, 429, 431, 500, 503];
  const always = route.scope === null ? open : [401, 403, 421, 429, 431, 500, 503];
  const written = route.method === "GET" ? [] : [507];
  const own = [...route.errors, ...(route.gate ? [402] : []), ...(route.idempotent ? [400, 409] : [])];
  const sized = route.body.kind === "none" ? [] : [400, 408, 413];
  const queried = Object.keys(route.query.shape).length > 0 ? [400] : [];
  return [...new Set([...always, ...own, ...sized, ...queried, ...written])].sort();
}

const responseWith = (description: string, headers: JsonObject, schema: JsonObject): JsonObject => ({
  description,
  headers,
  content: { "application/json": { schema } },
});

/** The errors of authenticated requests: one of each status, for all calls. */
export const sharedErrors = (schema: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(ERROR_DESCRIPTIONS).map(([status, description]) => [
      status,
      responseWith(
        description,
        status === "401" ? REQUEST_ID_HEADER : { ...REQUEST_ID_HEADER, ...RATE_LIMIT_HEADERS },
        schema,
      ),
    ]),
  );

/** A route's error. @param own the sentence of a status that depends on the route */
export function errorResponse(route: Route, status: number, schema: JsonObject, own?: string): JsonObject {
  if (route.scope !== null && own === undefined) return { $ref: `#/components/responses/${status}` };
  return responseWith(own ?? ERROR_DESCRIPTIONS[status] ?? "Error", headersOf(route), schema);
}
