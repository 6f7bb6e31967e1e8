/**
 * The endpoints of Stripe that the service uses, in this process. Each request is validated by Stripe's own OpenAPI
 * description where `STRIPE_OPENAPI` names its file (openapi/spec3.json of github.com/stripe/openapi).
 */
import { readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Ajv, type ValidateFunction } from "ajv";

type Members = Record<string, unknown>;

export interface StripeRequest {
  /** `POST /v1/checkout/sessions`. */
  endpoint: string;
  headers: IncomingHttpHeaders;
  /** Parameters of the query or the body, with the nesting that brackets write. */
  parameters: Members;
}

export interface StripeFault {
  status?: number;
  headers?: Record<string, string>;
  error?: Members;
  /** Milliseconds before the answer. */
  delay?: number;
  /** Closes the connection without an answer. */
  cut?: true;
}

export interface StripeServer {
  url: string;
  requests: StripeRequest[];
  prices: Members[];
  /** Faults of the next requests; then none. `always`: of every request. */
  faults: StripeFault[];
  always: StripeFault | undefined;
  /** Faults that Stripe's description finds in requests. Undefined: the description is not here. */
  invalid: string[] | undefined;
  /** The parameters of each session by its id. */
  sessions: Map<string, Members>;
  close(): Promise<void>;
}

/** `a[b][0]=c` → `{a: {b: ["c"]}}`. */
export function parametersOf(text: string): Members {
  const all: Members = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/\[|\]\[|\]/).filter((part) => part !== "");
    let at = all;
    for (const part of path.slice(0, -1)) {
      at[part] ??= {};
      at = at[part] as Members;
    }
    at[path.at(-1) ?? ""] = value;
  }
  return withLists(all) as Members;
}

function withLists(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, withLists(member)] as const);
  if (members.length > 0 && members.every(([name], at) => name === String(at))) return members.map(([, one]) => one);
  return Object.fromEntries(members);
}

interface Operation {
  parameters?: { name: string; in: string; schema: Members; required?: boolean }[];
  requestBody?: { content: Record<string, { schema: Members }> };
}

/** Validates requests by Stripe's OpenAPI description. */
class Description {
  readonly #paths: Record<string, Record<string, Operation>>;
  readonly #ajv: Ajv;
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(file: string) {
    const { paths, components } = JSON.parse(readFileSync(file, "utf8"));
    this.#paths = paths;
    this.#ajv = new Ajv({ strict: false, coerceTypes: true, allErrors: true, logger: false });
    this.#ajv.addSchema({ $id: "stripe", components });
  }

  faultsOf(endpoint: string, parameters: Members): string[] {
    const [method = "", path = ""] = endpoint.split(" ");
    const template = Object.keys(this.#paths).find(
      (one) =>
        this.#paths[one]?.[method.toLowerCase()] !== undefined &&
        new RegExp(`^${one.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path),
    );
    const operation = template === undefined ? undefined : this.#paths[template]?.[method.toLowerCase()];
    if (operation === undefined) return [`${endpoint} is no endpoint`];
    const key = `${method} ${template}`;
    const validate = this.#compiled.get(key) ?? this.#ajv.compile(schemaOf(operation));
    this.#compiled.set(key, validate);
    if (validate(structuredClone(parameters))) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${endpoint}${instancePath} ${message}`);
  }
}

function schemaOf({ parameters = [], requestBody }: Operation): Members {
  const body = requestBody?.content["application/x-www-form-urlencoded"]?.schema;
  const query = parameters.filter((one) => one.in === "query");
  const schema = Object.keys((body?.properties ?? {}) as Members).length > 0 ? body : undefined;
  const made = schema ?? {
    type: "object",
    additionalProperties: false,
    properties: Object.fromEntries(query.map(({ name, schema: one }) => [name, one])),
  };
  return JSON.parse(JSON.stringify(made).replaceAll('"#/components/', '"stripe#/components/'));
}

const DESCRIPTION_FILE = process.env.STRIPE_OPENAPI;

/** True where requests are validated; says so where they are not. */
export function hasStripeDescription(): boolean {
  if (DESCRIPTION_FILE !== undefined) return true;
  console.warn("SKIPPED: STRIPE_OPENAPI names no file of Stripe's OpenAPI description; its requests are not validated");
  return false;
}

export const stripePrice = (id: string, more: Members = {}): Members => ({
  id,
  object: "price",
  active: true,
  currency: "eur",
  type: "one_time",
  unit_amount: 1_000,
  product: "prod_tokens",
  nickname: null,
  metadata: { tokens_granted: "5000" },
  ...more,
});

const missing = (param: string, what: string) => ({
  status: 404,
  body: {
    error: {
      type: "invalid_request_error",
      code: "resource_missing",
      param,
      message: `No such ${what}: sk_test_secret`,
    },
  },
});

function answerOf(server: StripeServer, endpoint: string, parameters: Members): { status: number; body: Members } {
  const [, price] = /^GET \/v1\/prices\/(\w+)$/.exec(endpoint) ?? [];
  if (price !== undefined) {
    const found = server.prices.find(({ id }) => id === price);
    return found === undefined ? missing("price", "price") : { status: 200, body: found };
  }
  if (endpoint === "GET /v1/prices") {
    const data = server.prices.filter(({ product, active }) => product === parameters.product && active === true);
    return { status: 200, body: { object: "list", data, has_more: false, url: "/v1/prices" } };
  }
  if (endpoint === "POST /v1/checkout/sessions") {
    if (parameters.customer === "cus_gone") return missing("customer", "customer");
    const id = `cs_test_${server.sessions.size + 1}`;
    server.sessions.set(id, parameters);
    return { status: 200, body: { id, object: "checkout.session", url: `https://checkout.example/${id}` } };
  }
  if (endpoint === "POST /v1/billing_portal/sessions") {
    if (parameters.customer === "cus_gone") return missing("customer", "customer");
    return { status: 200, body: { id: "bps_1", object: "billing_portal.session", url: "https://portal.example/1" } };
  }
  return missing("", "endpoint");
}

async function serve(
  server: StripeServer,
  description: Description | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { pathname, search } = new URL(request.url ?? "/", "http://stripe");
  const endpoint = `${request.method} ${pathname}`;
  const parameters = parametersOf(request.method === "GET" ? search : Buffer.concat(chunks).toString("utf8"));
  server.requests.push({ endpoint, headers: request.headers, parameters });
  server.invalid?.push(...(description?.faultsOf(endpoint, parameters) ?? []));
  const { delay = 0, cut, status, headers = {}, error = {} } = server.always ?? server.faults.shift() ?? {};
  if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
  if (cut) return void request.socket.destroy();
  const answer = status === undefined ? answerOf(server, endpoint, parameters) : { status, body: { error } };
  response.writeHead(answer.status, { "Content-Type": "application/json", "Request-Id": "req_1", ...headers });
  response.end(JSON.stringify(answer.body));
}

export async function startStripeServer(prices: Members[] = [stripePrice("price_a")]): Promise<StripeServer> {
  const description = DESCRIPTION_FILE === undefined ? undefined : new Description(DESCRIPTION_FILE);
  const http = createServer((request, response) => {
    serve(server, description, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const server: StripeServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    requests: [],
    prices,
    faults: [],
    always: undefined,
    invalid: description === undefined ? undefined : [],
    sessions: new Map(),
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  return server;
}
