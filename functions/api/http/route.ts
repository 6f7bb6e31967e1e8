/** A route as data: read by the router, the front on one machine, the CDK app and the OpenAPI document. */

import type { output, ZodObject, ZodType } from "zod";
import * as z from "zod";
import type { Caller, Scope } from "../../service/organizations/api-keys.ts";
import type { EngineState } from "../../service/organizations/engines.ts";
import type { Organization } from "../../service/organizations/organization.ts";
import { MAX_JSON_BYTES } from "./body-limit.ts";
import type { Multipart } from "./multipart.ts";
import type { Reply } from "./reply.ts";

/** A part of a multipart request, for the OpenAPI document. */
export interface PartDocumentation {
  description: string;
  required: boolean;
  /** True: a file. False: text, sent as a field or as a file. */
  file: boolean;
  /** Most characters of a text; absent: those of a part. */
  maxLength?: number;
}

export type RequestBody =
  | { kind: "none" }
  | { kind: "json"; schema: ZodType; required: boolean; examples: Record<string, unknown> }
  /** JSON that the route passes on as it came: large bodies are parsed by the engine. The schema only describes it. */
  | { kind: "json-bytes"; schema: ZodType; examples: Record<string, unknown> }
  | { kind: "multipart"; parts: Record<string, PartDocumentation> };

/** Resources that an answer names, and that other calls go on with. */
export type MadeResource = "job" | "batch" | "operation" | "configuration" | "template" | "case" | "caseDocument";

export interface ReplyDocumentation {
  description: string;
  /** The OpenAPI document links the answer to the calls that go on with it. */
  makes?: MadeResource;
  schema?: ZodType;
  /** Default: application/json. */
  contentTypes?: string[];
  example?: unknown;
  /** Its own headers with their descriptions. */
  headers?: Record<string, { description: string; values?: readonly string[] }>;
}

/** Facts of the service that a route may use besides its input. */
export interface ServiceFacts {
  version: string;
  engines(): { ocr: EngineState; model: EngineState; payments: EngineState };
  /** The OpenAPI document as JSON text, made once. */
  openapi(): string;
  /** The script of the reference's page. */
  referenceScript(): Promise<Uint8Array>;
  /**
   * Takes an event of the payment provider. @returns the organization that it changed, if any
   * @throws BadRequest for an event that is not the provider's; ServiceUnavailable
   */
  takePaymentEvent(body: Uint8Array, signature: string | undefined): Promise<number | undefined>;
  /** Why the service is not ready, as a sentence; undefined when it is. Absent: it always is. */
  unready?(): Promise<string | undefined>;
}

export interface RouteInput<P, Q, B> {
  params: P;
  query: Q;
  body: B;
  multipart: Multipart;
  /** The value of `Idempotency-Key`; undefined when absent or when the route takes none. */
  idempotencyKey: string | undefined;
  /** The value of the route's `signature` header. */
  signature: string | undefined;
  /** A job's GUID to use; the same for every try of one idempotent request. */
  newGuid: string;
}

export interface Authenticated {
  caller: Caller;
  org: Organization;
}

interface RouteData {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path with `{name}` placeholders. */
  path: string;
  summary: string;
  description?: string;
  tag: string;
  /** Token-gated: the work is paid for in prepaid tokens; 402 when they are exhausted. */
  gate?: "tokens";
  params: ZodObject;
  query: ZodObject;
  body: RequestBody;
  /**
   * Most bytes of the request's body; Infinity: the deployment's limit of a request is the only one. The front checks it
   * before it reads a body, and every handler before it parses one.
   */
  bodyLimit: number;
  /** True: the POST creates work or money and takes an `Idempotency-Key`. */
  idempotent: boolean;
  /** Name of the header with which the sender signs the body. */
  signature?: string;
  /** Number of requests a call counts as under the rate limit; 0: not counted. */
  weight: number;
  replies: Record<number, ReplyDocumentation>;
  /** Error statuses the route can answer besides those of every route. */
  errors: number[];
}

export interface OrganizationRoute extends RouteData {
  scope: Scope;
  run(input: RouteInput<never, never, never>, context: Authenticated): Promise<Reply>;
}

export interface PublicRoute extends RouteData {
  scope: null;
  run(input: RouteInput<never, never, never>, facts: ServiceFacts): Promise<Reply>;
}

export type Route = OrganizationRoute | PublicRoute;

const NO_PARAMETERS = z.object({});

type BodyOf<B extends RequestBody | undefined> = B extends { kind: "json"; schema: infer S extends ZodType }
  ? output<S>
  : B extends { kind: "json-bytes" }
    ? Uint8Array
    : undefined;

type Defaults = "params" | "query" | "body" | "bodyLimit" | "idempotent" | "weight" | "errors";

type RouteDefinition<P extends ZodObject, Q extends ZodObject, B extends RequestBody> = Omit<RouteData, Defaults> & {
  params?: P;
  query?: Q;
  body?: B;
  bodyLimit?: number;
  idempotent?: boolean;
  weight?: number;
  errors?: number[];
};

/** Defines a route of an organization's API; its schemas type the input of `run`. */
export function route<P extends ZodObject, Q extends ZodObject, B extends RequestBody>(
  definition: RouteDefinition<P, Q, B> & {
    scope: Scope;
    run(input: RouteInput<output<P>, output<Q>, BodyOf<B>>, context: Authenticated): Promise<Reply>;
  },
): OrganizationRoute {
  return { ...withDefaults(definition), scope: definition.scope, run: definition.run as OrganizationRoute["run"] };
}

/** Defines a route that needs no key. */
export function publicRoute<P extends ZodObject, Q extends ZodObject, B extends RequestBody>(
  definition: RouteDefinition<P, Q, B> & {
    run(input: RouteInput<output<P>, output<Q>, BodyOf<B>>, facts: ServiceFacts): Promise<Reply>;
  },
): PublicRoute {
  return { ...withDefaults(definition), scope: null, run: definition.run as PublicRoute["run"] };
}

function withDefaults<P extends ZodObject, Q extends ZodObject, B extends RequestBody>(
  definition: RouteDefinition<P, Q, B>,
): RouteData {
  return {
    ...definition,
    params: definition.params ?? NO_PARAMETERS,
    query: definition.query ?? NO_PARAMETERS,
    body: definition.body ?? { kind: "none" },
    bodyLimit:
      definition.bodyLimit ?? (definition.body?.kind === "multipart" ? Number.POSITIVE_INFINITY : MAX_JSON_BYTES),
    idempotent: definition.idempotent ?? false,
    weight: definition.weight ?? 1,
    errors: definition.errors ?? [],
  };
}
