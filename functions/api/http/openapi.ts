/** The OpenAPI 3.1 document, made from the route table. */
import type { ZodType } from "zod";
import * as z from "zod";
import { DEFAULT_CONFIG } from "../../service/organizations/organization.ts";
import { ErrorBody } from "../schemas/replies.ts";
import { bodyLimitOf, hasUploadAddress, type RequestLimits } from "./body-limit.ts";
import { descriptionOf } from "./member-descriptions/member-descriptions.ts";
import { errorResponse, errorStatuses, HEADERS, headersOf, sharedErrors } from "./openapi-errors.ts";
import { linksOf, referencesTo } from "./openapi-links.ts";
import type { ReplyDocumentation, Route } from "./route.ts";

type JsonObject = Record<string, unknown>;
type Links = Readonly<Record<string, JsonObject>>;

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
  const id = rest.id;
  const moved = described(rewriteRefs(rest) as JsonObject, typeof id === "string" ? id : "");
  for (const [name, definition] of Object.entries($defs ?? {}))
    components[name] = described(rewriteRefs(definition) as JsonObject, name);
  if (typeof id !== "string") return moved;
  delete moved.id;
  components[id] = moved;
  return { $ref: `#/components/schemas/${id}` };
}

/** Gives each member of a schema its description, at any depth. @param holder the component's name, or empty */
function described(schema: JsonObject, holder: string): JsonObject {
  const inner = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inner);
    return typeof value === "object" && value !== null ? described(value as JsonObject, holder) : value;
  };
  const { properties, enum: values, const: only, ...rest } = schema;
  const members = Object.entries(properties ?? {}).map(([name, member]) => {
    const shown = inner(member) as JsonObject;
    const description = "$ref" in shown ? undefined : descriptionOf(name, holder);
    return [name, description === undefined || "description" in shown ? shown : { description, ...shown }];
  });
  return {
    ...Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, inner(value)])),
    ...(values === undefined ? {} : { enum: values }),
    ...(only === undefined ? {} : { const: only }),
    ...(properties === undefined ? {} : { properties: Object.fromEntries(members) }),
  };
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
    return Object.entries(properties).map(([name, shown]) => {
      const { description = descriptionOf(name, "param"), ...schema } = shown as JsonObject;
      return { name, in: place, required: place === "path" || required.includes(name), description, schema };
    });
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

/** A schema or null, with its description on the outside, where pages show it. */
function orNull(schema: JsonObject): JsonObject {
  const { type, enum: values, const: only, description } = schema;
  if (type === "null") return schema;
  if (typeof type === "string" && only === undefined)
    return { ...schema, type: [type, "null"], ...(Array.isArray(values) ? { enum: [...values, null] } : {}) };
  return { ...(description === undefined ? {} : { description }), anyOf: [schema, { type: "null" }] };
}

/** Allows null for every member that may be absent, at any depth, because an explicit null in a request is absent. */
function withNulls(schema: JsonObject): JsonObject {
  const { properties, anyOf, items } = schema as { properties?: JsonObject; anyOf?: JsonObject[]; items?: JsonObject };
  const required = (schema.required ?? []) as string[];
  const members = Object.entries(properties ?? {}).map(([name, member]) => {
    const inner = withNulls(member as JsonObject);
    return [name, required.includes(name) ? inner : orNull(inner)];
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

function operationOf(route: Route, components: JsonObject, links: Links, limits: RequestLimits): JsonObject {
  const responses: JsonObject = {};
  const headers = headersOf(route);
  for (const [status, reply] of Object.entries(route.replies)) {
    // An answer without a body has no type.
    const bodiless = status === "204" ? { contentTypes: [] } : {};
    responses[status] = responseOf({ ...reply, ...bodiless }, headers, components, links);
  }
  const error = schemaOf(ErrorBody, "output", components);
  for (const status of errorStatuses(route)) {
    responses[status] = errorResponse(route, status, error, status === 413 ? tooLarge(route, limits) : undefined);
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
  const responses = sharedErrors(schemaOf(ErrorBody, "output", schemas));
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
      responses,
      headers: HEADERS,
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
