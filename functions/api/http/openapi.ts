/** The OpenAPI 3.1 document, made from the route table. */
import type { ZodType } from "zod";
import * as z from "zod";
import { DEFAULT_CONFIG } from "../../service/organizations/organization.ts";
import { ErrorBody } from "../schemas/replies.ts";
import { bodyLimitOf, hasUploadAddress, type RequestLimits } from "./body-limit.ts";
import { linksOf, referencesTo } from "./openapi-links.ts";
import type { ReplyDocumentation, Route } from "./route.ts";

type JsonObject = Record<string, unknown>;
type Links = Readonly<Record<string, JsonObject>>;

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

const bytes = (count: number): string => count.toLocaleString("en-US");

/** Describes status 413. The sentence names the upload route when documents may be larger than requests. */
function tooLarge(route: Route, { maxDocumentBytes, maxRequestBytes }: RequestLimits): string {
  const { body, bodyLimit } = route;
  if (body.kind === "json" || body.kind === "json-bytes")
    return `A body over ${bytes(Math.min(bodyLimit, maxRequestBytes))} bytes`;
  const words = `A document over ${bytes(maxDocumentBytes)} bytes or a request over ${bytes(maxRequestBytes)}`;
  return maxRequestBytes > maxDocumentBytes || !hasUploadAddress(route)
    ? words
    : `${words}: larger documents go by POST /document/upload-url`;
}

/** zod → JSON Schema; `meta.openapi` replaces the schema where zod cannot describe a transform. */
function schemaOf(schema: ZodType, io: "input" | "output", components: JsonObject): JsonObject {
  const made = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    target: "draft-2020-12",
    override: ({ jsonSchema, zodSchema }) => {
      const shown = (z.globalRegistry.get(zodSchema) as { openapi?: JsonObject } | undefined)?.openapi;
      if (shown === undefined) return;
      for (const name of Object.keys(jsonSchema)) delete (jsonSchema as JsonObject)[name];
      Object.assign(jsonSchema, shown);
    },
  }) as JsonObject & { $defs?: JsonObject };
  const { $schema: _dialect, $defs, ...rest } = made;
  const moved = rewriteRefs(rest) as JsonObject;
  for (const [name, definition] of Object.entries($defs ?? {})) components[name] = rewriteRefs(definition);
  const id = rest.id;
  if (typeof id !== "string") return moved;
  delete moved.id;
  components[id] = moved;
  return { $ref: `#/components/schemas/${id}` };
}

function rewriteRefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rewriteRefs);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === "$ref" && typeof member === "string"
        ? member.replace("#/$defs/", "#/components/schemas/")
        : rewriteRefs(member),
    ]),
  );
}

function parametersOf(route: Route, components: JsonObject): JsonObject[] {
  const from = (schema: ZodType, place: "path" | "query"): JsonObject[] => {
    const { properties = {}, required = [] } = schemaOf(schema, "input", components) as {
      properties?: JsonObject;
      required?: string[];
    };
    return Object.entries(properties).map(([name, shown]) => ({
      name,
      in: place,
      required: place === "path" || required.includes(name),
      schema: shown,
    }));
  };
  const header: JsonObject[] = route.idempotent
    ? [
        {
          name: "Idempotency-Key",
          in: "header",
          required: false,
          description: "Kept 24 h and bound to this request: a replay gets the first answer and does nothing again",
          schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x21-\\x7e]+$" },
        },
      ]
    : [];
  const signature: JsonObject[] =
    route.signature === undefined
      ? []
      : [
          {
            name: route.signature,
            in: "header",
            required: true,
            description: "The sender's signature of the body, in place of an API key",
            schema: { type: "string" },
          },
        ];
  return [...from(route.params, "path"), ...from(route.query, "query"), ...header, ...signature];
}

/** Allows null for every member that may be absent, at any depth, because an explicit null in a request is absent. */
function withNulls(schema: JsonObject): JsonObject {
  const { properties, anyOf, items } = schema as { properties?: JsonObject; anyOf?: JsonObject[]; items?: JsonObject };
  const required = (schema.required ?? []) as string[];
  const members = Object.entries(properties ?? {}).map(([name, member]) => {
    const inner = withNulls(member as JsonObject);
    return [name, required.includes(name) ? inner : { anyOf: [inner, { type: "null" }] }];
  });
  return {
    ...schema,
    ...(properties === undefined ? {} : { properties: Object.fromEntries(members) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(withNulls) }),
    ...(items === undefined ? {} : { items: withNulls(items) }),
  };
}

function requestBodyOf(
  { body, bodyLimit }: Route,
  components: JsonObject,
  limits: RequestLimits,
): JsonObject | undefined {
  if (body.kind === "none") return undefined;
  const most = { "x-max-bytes": bodyLimitOf({ bodyLimit }, limits) };
  if (body.kind === "json" || body.kind === "json-bytes") {
    const examples = Object.fromEntries(Object.entries(body.examples).map(([name, value]) => [name, { value }]));
    const schema = withNulls(schemaOf(body.schema, "input", components));
    return {
      required: body.kind === "json-bytes" || body.required,
      ...most,
      content: { "application/json": { schema, examples } },
    };
  }
  const properties = Object.fromEntries(
    Object.entries(body.parts).map(([name, part]) => [
      name,
      part.file
        ? { type: "string", contentMediaType: "application/octet-stream", minLength: 1, description: part.description }
        : {
            type: "string",
            ...(part.maxLength === undefined ? {} : { maxLength: part.maxLength }),
            description: part.description,
          },
    ]),
  );
  const required = Object.entries(body.parts).flatMap(([name, part]) => (part.required ? [name] : []));
  return {
    required: true,
    ...most,
    content: { "multipart/form-data": { schema: { type: "object", properties, required } } },
  };
}

function responseOf(reply: ReplyDocumentation, headers: JsonObject, components: JsonObject, links: Links): JsonObject {
  const types = reply.contentTypes ?? ["application/json"];
  const content = Object.fromEntries(
    types.map((type) => {
      const schema =
        type === "application/json" && reply.schema ? schemaOf(reply.schema, "output", components) : { type: "string" };
      return [type, { schema, ...(reply.example === undefined ? {} : { example: reply.example }) }];
    }),
  );
  const own = Object.entries(reply.headers ?? {}).map(([name, { description, values }]) => [
    name,
    { description, schema: { type: "string", ...(values === undefined ? {} : { enum: values }) } },
  ]);
  const linked = reply.makes === undefined ? {} : { links: referencesTo(reply.makes, links) };
  const body = types.length === 0 ? {} : { content };
  return { description: reply.description, headers: { ...headers, ...Object.fromEntries(own) }, ...body, ...linked };
}

const REQUEST_ID_HEADER = {
  "X-Request-Id": { description: "Names the request in the logs", schema: { type: "string" } },
};
const integerHeader = (description: string): JsonObject => ({ description, schema: { type: "integer" } });
/** Headers of answers to authenticated requests while a rate limit is on. */
const RATE_LIMIT_HEADERS = {
  "X-RateLimit-Limit": integerHeader("Requests a minute"),
  "X-RateLimit-Remaining": integerHeader("Requests left now; after a pause more than a minute's, up to the burst"),
  "X-RateLimit-Reset": integerHeader("Unix seconds at which all of them are there again"),
};

function errorStatuses(route: Route): number[] {
  const open = route.method === "GET" ? [421, 431, 500] : [421, 429, 431, 500, 503];
  const always = route.scope === null ? open : [401, 403, 421, 429, 431, 500, 503];
  const written = route.method === "GET" ? [] : [507];
  const own = [...route.errors, ...(route.gate ? [402] : []), ...(route.idempotent ? [400, 409] : [])];
  const sized = route.body.kind === "none" ? [] : [400, 408, 413];
  const queried = Object.keys(route.query.shape).length > 0 ? [400] : [];
  return [...new Set([...always, ...own, ...sized, ...queried, ...written])].sort();
}

function operationOf(route: Route, components: JsonObject, links: Links, limits: RequestLimits): JsonObject {
  const responses: JsonObject = {};
  const headers = route.scope === null ? REQUEST_ID_HEADER : { ...REQUEST_ID_HEADER, ...RATE_LIMIT_HEADERS };
  for (const [status, reply] of Object.entries(route.replies)) {
    // An answer without a body has no type.
    const bodiless = status === "204" ? { contentTypes: [] } : {};
    responses[status] = responseOf({ ...reply, ...bodiless }, headers, components, links);
  }
  for (const status of errorStatuses(route)) {
    responses[status] = {
      description: status === 413 ? tooLarge(route, limits) : (ERROR_DESCRIPTIONS[status] ?? "Error"),
      headers: status === 401 ? REQUEST_ID_HEADER : headers,
      content: { "application/json": { schema: schemaOf(ErrorBody, "output", components) } },
    };
  }
  const requestBody = requestBodyOf(route, components, limits);
  return {
    operationId: operationId(route),
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    tags: [route.tag],
    security: route.scope === null ? [] : [{ apiKey: [] }],
    ...(route.scope === null ? {} : { "x-scope": route.scope }),
    parameters: parametersOf(route, components),
    ...(requestBody ? { requestBody } : {}),
    responses,
  };
}

/** `POST /document/process/{guid}` → `postDocumentProcessGuid`. */
const operationId = (route: Route): string =>
  route.method.toLowerCase() +
  route.path
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "")
    .map((word) => word[0]?.toUpperCase() + word.slice(1))
    .join("");

/**
 * @param version the service's version
 * @param limits the limits of the deployment that serves the document
 */
export function openApiDocument(
  routes: readonly Route[],
  version: string,
  { maxDocumentBytes, maxRequestBytes }: RequestLimits = DEFAULT_CONFIG,
): JsonObject {
  const limits = { maxDocumentBytes, maxRequestBytes };
  const schemas: JsonObject = {};
  const links = linksOf(routes, operationId);
  const paths: Record<string, JsonObject> = {};
  for (const route of routes) {
    const item = paths[route.path] ?? {};
    item[route.method.toLowerCase()] = operationOf(route, schemas, links, limits);
    paths[route.path] = item;
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Sheaf",
      version,
      description:
        "Turns documents into data with evidence. The same API below /compat speaks to clients that wait for other words: " +
        "its differences stand in docs/api.md.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    // In bytes, for clients that choose how to send a document.
    "x-limits": limits,
    paths,
    components: {
      schemas,
      links,
      securitySchemes: { apiKey: { type: "http", scheme: "bearer", description: "Authorization: Bearer <API key>" } },
    },
  };
}

/** The document as JSON text, made at the first call: making it takes some hundredths of a second. */
export function openApiText(...given: Parameters<typeof openApiDocument>): () => string {
  let text: string | undefined;
  return () => {
    text ??= JSON.stringify(openApiDocument(...given));
    return text;
  };
}
