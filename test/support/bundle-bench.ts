/**
 * The built functions as deployed: each in a bare process outside the project, with its settings from the stack, on a
 * local DynamoDB and stubs of the other services.
 */
import { cpSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { NODE_QUEUES } from "../../functions/ports/queue.ts";
import { bundleOf } from "../../lib/bundles.ts";
import { type AwsStubs, startAwsStubs } from "./aws-stubs.ts";
import { type BareLambda, type Outcome, startBareLambda } from "./bare-lambda.ts";
import { type Dynoxide, hasDynoxide, makeRecordsTable, startDynoxide } from "./dynoxide.ts";
import { builtFunctions, synthesize } from "./synth.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const HANDLERS = join(ROOT, "bin/cloud/handlers");
/** Settings of the functions that a stack without options does not have. */
const OPTIONAL_SETTINGS: Readonly<Record<string, string[]>> = { edge: ["SHEAF_EDGE_SECRET"] };
/** The functions' entries. */
export const ENTRIES = readdirSync(HANDLERS).map((file) => file.replace(/\.ts$/, ""));
const TABLE = "sheaf";
const KEY = "a-key-of-the-tests";
/** The text that CloudFront sends with each request. */
export const EDGE_TEXT = "e".repeat(40);
export const AUTHORIZED = { authorization: `Bearer ${KEY}` };

export interface Call {
  body?: Buffer;
  headers?: Record<string, string>;
  pathParameters?: Record<string, string>;
  query?: Record<string, string>;
}

export interface Reply {
  status: number;
  body: unknown;
}

export interface BundleBench {
  key: string;
  stubs: AwsStubs;
  environment: Record<string, string>;
  /** The functions that have a bundle. */
  entries: string[];
  /** The folder of a function's bundle. */
  folderOf(entry: string): string;
  /** A process of its own. */
  start(entry: string): Promise<BareLambda>;
  /** Invokes the function's process, which starts at its first use. */
  invoke(entry: string, event: unknown): Promise<Outcome>;
  /** @throws Error with the name of the function's error */
  answerOf(entry: string, event: unknown): Promise<unknown>;
  request(entry: string, routeKey: string, call?: Call): Promise<Reply>;
  /** The functions that have answered, with the sizes in bytes of their loaded WebAssembly. */
  answered: Map<string, number[]>;
  close(): Promise<void>;
}

/** A request as an HTTP API sends it. */
export function httpEvent(routeKey: string, { body, headers = {}, pathParameters, query }: Call): unknown {
  const [method = "GET", path = "/nowhere"] = routeKey === "$default" ? [] : routeKey.split(" ");
  return {
    version: "2.0",
    routeKey,
    rawPath: path,
    rawQueryString: new URLSearchParams(query).toString(),
    ...(query === undefined ? {} : { queryStringParameters: query }),
    headers,
    ...(pathParameters === undefined ? {} : { pathParameters }),
    requestContext: { requestId: "request-1", http: { method, path, sourceIp: "127.0.0.1" }, timeEpoch: Date.now() },
    ...(body === undefined ? {} : { body: body.toString("base64") }),
    isBase64Encoded: body !== undefined,
  };
}

interface HttpAnswer {
  statusCode: number;
  body: string;
  isBase64Encoded: boolean;
  headers?: Record<string, string>;
}

function replyOf({ statusCode, body, isBase64Encoded, headers = {} }: HttpAnswer): Reply {
  const bytes = Buffer.from(body, isBase64Encoded ? "base64" : "utf8");
  const json = /json/.test(headers["content-type"] ?? headers["Content-Type"] ?? "json");
  return { status: statusCode, body: json ? JSON.parse(bytes.toString()) : bytes };
}

/** A PDF in a form. */
export function upload(file: Uint8Array, type = "application/pdf"): Call {
  const head = `--b\r\nContent-Disposition: form-data; name="document"; filename="a.pdf"\r\nContent-Type: ${type}\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), file, Buffer.from("\r\n--b--\r\n")]);
  return { body, headers: { ...AUTHORIZED, "content-type": "multipart/form-data; boundary=b" } };
}

const settingsOn = (url: string): Record<string, string> => ({
  AWS_REGION: "eu-central-1",
  AWS_ACCESS_KEY_ID: "nobody",
  AWS_SECRET_ACCESS_KEY: "nothing",
  AWS_ENDPOINT_URL: url,
  SHEAF_TABLE: TABLE,
  SHEAF_BUCKET: "files",
  SHEAF_METRICS: "Sheaf",
  SHEAF_VERSION: "1.2.3",
  SHEAF_SERVER_KEY_SECRET: "server-key",
  SHEAF_API_KEYS_SECRET: "api-keys",
  SHEAF_MODEL_SECRET: "model",
  SHEAF_PAYMENTS_SECRET: "payments",
  SHEAF_PUBLIC_URL: "https://sheaf.example.com",
  SHEAF_EDGE_SECRET: "edge",
  SHEAF_MACHINE_PREFIX: "Sheaf-",
  SHEAF_MACHINE_ROLE: "arn:aws:iam::000000000000:role/machines",
  SHEAF_MACHINE_LOG: "/aws/vendedlogs/states/Sheaf",
  SHEAF_INSPECT_FUNCTION: "inspect",
  SHEAF_TEMPLATE_FUNCTION: "templates",
  SHEAF_NODE_QUEUES: JSON.stringify(
    Object.fromEntries(Object.keys(NODE_QUEUES).map((tier) => [tier, `${url}/1/nodes-${tier}`])),
  ),
  SHEAF_NODE_QUEUE: "work",
  SHEAF_QUEUES: JSON.stringify({
    work: { url: `${url}/1/work`, deadLetterUrl: `${url}/1/dead` },
    webhooks: { url: `${url}/1/webhooks`, deadLetterUrl: `${url}/1/dead` },
  }),
});

/** With records, when this machine has a DynamoDB. @param model the text of the model's secret */
export async function openBundleBench(model: string): Promise<BundleBench> {
  const home = mkdtempSync(join(tmpdir(), "sheaf-bundles-"));
  const synthesized = await synthesize();
  const settings = new Map<string, string[]>();
  for (const { entry, folder, settings: names } of builtFunctions(synthesized.folder)) {
    cpSync(folder, join(home, entry), { recursive: true });
    settings.set(entry, names);
  }
  synthesized.remove();
  // Functions that only some deployments have.
  for (const entry of ENTRIES.filter((one) => !settings.has(one))) {
    cpSync(bundleOf({ handlers: HANDLERS, root: ROOT }, entry), join(home, entry), { recursive: true });
    settings.set(entry, OPTIONAL_SETTINGS[entry] ?? []);
  }
  const entries = readdirSync(home).filter((name) => statSync(join(home, name)).isDirectory());
  const secrets = {
    "server-key": "k".repeat(64),
    "api-keys": `1:${KEY}:read+write+billing+admin`,
    edge: EDGE_TEXT,
    model,
  };
  const stubs = await startAwsStubs(secrets, answerOf);
  const environment = settingsOn(stubs.url);
  let dynoxide: Dynoxide | undefined;
  if (hasDynoxide()) {
    dynoxide = await startDynoxide(join(home, "dynoxide.db"));
    await makeRecordsTable(dynoxide.client, TABLE);
    const { hostname, port } = (await dynoxide.client.config.endpoint?.()) ?? { hostname: "", port: 0 };
    environment.AWS_ENDPOINT_URL_DYNAMODB = `http://${hostname}:${port}`;
  }

  /** Only the settings that the stack gives the function: a missing one is missing here, too. */
  const environmentOf = (entry: string): Record<string, string> =>
    Object.fromEntries(
      Object.entries(environment).filter(([name]) => name.startsWith("AWS_") || settings.get(entry)?.includes(name)),
    );
  const folderOf = (entry: string): string => join(home, entry);
  const start = (entry: string): Promise<BareLambda> => startBareLambda(folderOf(entry), environmentOf(entry));
  const running = new Map<string, Promise<BareLambda>>();
  const answered = new Map<string, number[]>();

  async function invoke(entry: string, event: unknown): Promise<Outcome> {
    const one = running.get(entry) ?? start(entry);
    running.set(entry, one);
    return (await one).invoke(event);
  }

  async function answerOf(entry: string, event: unknown): Promise<unknown> {
    const outcome = await invoke(entry, event);
    if ("answer" in outcome) {
      answered.set(entry, outcome.wasm);
      return outcome.answer;
    }
    const { errorType, errorMessage, stack } = outcome;
    throw Object.assign(new Error(errorMessage), { name: errorType, stack: `${entry}: ${stack}` });
  }

  return {
    key: KEY,
    stubs,
    environment,
    entries,
    folderOf,
    start,
    invoke,
    answerOf,
    answered,
    async request(entry, routeKey, call = {}) {
      return replyOf((await answerOf(entry, httpEvent(routeKey, call))) as HttpAnswer);
    },
    async close() {
      await Promise.all([...running.values()].map(async (one) => (await one).close()));
      await stubs.close();
      await dynoxide?.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
