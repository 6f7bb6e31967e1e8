/**
 * Quotes beside what the same documents then cost, on the corpus' documents with a text layer. A server of the bench's
 * own plays the model: it answers with what the offline extractor finds, and counts its tokens by a rule of its own, which
 * splits texts as tokenizers do: into words, groups of three digits, signs and line ends. `npm run bench -- quotes [--corpus DIR] [--files N]`. Billing is
 * enforced, with tokens enough. Prints the error of the expected tokens, whether a bound was broken, how far the bounds are
 * above, and the runs that their bound ended.
 */
import { type ChildProcess, execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { SheafClient, type UploadCommand } from "../client/index.ts";
import { canMeasure, corpusFolder, textPdfs } from "./support/corpus.ts";
import { startLocalService } from "./support/local-service.ts";
import { numberOf } from "./support/options.ts";

const KEY = "bench-key-of-quotes";
/** Letters of a word that is one token, and of the tokens of a longer one. */
const [WORD_LETTERS, PART_LETTERS] = [8, 5];
/** Signs of a token. */
const SIGNS = 2;
const MAX_MEDIAN_ERROR = 0.15;
/** In the error of a run that had no tokens for all of its work. */
const OUT_OF_TOKENS = /prepaid tokens/;
const [MAX_MEDIAN_BOUND, MAX_P95_BOUND] = [3, 8];
/** Longest document: longer ones take most of the time. */
const MAX_BYTES = 2_500_000;

const INVOICE = {
  type: "object",
  properties: {
    invoice_number: { type: "string" },
    issue_date: { type: "string", format: "date" },
    due_date: { type: "string", format: "date" },
    supplier: { type: "string", description: "The name of the company that issues the invoice" },
    customer: { type: "string" },
    currency: { type: "string" },
    net_total: { type: "number" },
    tax_total: { type: "number" },
    total: { type: "number" },
    lines: {
      type: "array",
      items: {
        type: "object",
        properties: {
          description: { type: "string" },
          quantity: { type: "number" },
          unit_price: { type: "number" },
          amount: { type: "number" },
        },
      },
    },
  },
};

const COMMANDS: [name: string, command: UploadCommand][] = [
  ["an invoice's schema", { schema: INVOICE }],
  ["a short schema", { schema: { title: "string", date: "date", name: "string" } }],
  ["no schema", {}],
];

interface Body {
  messages?: { content: unknown }[];
  response_format?: { json_schema?: { name?: string } };
  max_tokens?: number;
  max_completion_tokens?: number;
}

const PIECES = /\p{L}+|\p{N}{1,3}|\n+|[^\s\p{L}\p{N}]+/gu;

function pieceTokens(piece: string): number {
  if (/^\p{L}/u.test(piece)) return piece.length <= WORD_LETTERS ? 1 : Math.ceil(piece.length / PART_LETTERS);
  return /^[\n\p{N}]/u.test(piece) ? 1 : Math.ceil(piece.length / SIGNS);
}

const tokensOf = (value: unknown): number =>
  ((typeof value === "string" ? value : JSON.stringify(value ?? "")).match(PIECES) ?? []).reduce(
    (sum, piece) => sum + pieceTokens(piece),
    0,
  );

/** The beginning of a text that has at most so many tokens. */
function cutTo(text: string, limit: number): string {
  let left = limit;
  let end = 0;
  for (const { 0: piece, index } of text.matchAll(PIECES)) {
    left -= pieceTokens(piece);
    if (left < 0) return text.slice(0, end);
    end = index + piece.length;
  }
  return text;
}

/** Plays the model. @param answer the data that an extraction is answered with */
async function startModel(answer: () => string) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Body;
    const form = body.response_format?.json_schema?.name ?? "extraction";
    const whole = form === "extraction" ? answer() : form === "missing_rows" ? '{"rows":[]}' : '{"corrections":[]}';
    // As models do, it stops where the request says; a longer answer would use tokens that nobody may spend.
    const text = cutTo(whole, body.max_tokens ?? body.max_completion_tokens ?? Number.POSITIVE_INFINITY);
    const prompt = (body.messages ?? []).reduce((sum, { content }) => sum + tokensOf(content), 0);
    const completion = tokensOf(text);
    const usage = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
    const choice = {
      index: 0,
      message: { role: "assistant", content: text },
      finish_reason: text === whole ? "stop" : "length",
    };
    const head = { id: "chatcmpl-1", object: "chat.completion", created: 1_767_225_600, model: "bench-model" };
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ ...head, choices: [choice], usage }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}

interface Outcome {
  file: string;
  expected: number;
  bound: number;
  actual: number;
  /** The bound ended the run: work was left out that it had no tokens for. */
  ended: boolean;
}

const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

function print(outcomes: readonly Outcome[]): void {
  const errors = outcomes.map(({ expected, actual }) => Math.abs(expected - actual) / actual);
  const bounds = outcomes.map(({ bound, actual }) => bound / actual);
  const broken = outcomes.filter(({ bound, actual }) => bound < actual);
  const [error, middle, p95] = [quantile(errors, 0.5), quantile(bounds, 0.5), quantile(bounds, 0.95)];
  const verdict = (good: boolean): string => (good ? "" : "  MISSED");
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
  console.log(`${outcomes.length} runs`);
  console.log(
    `  error of the expected tokens  median ${percent(error)} (goal ${percent(MAX_MEDIAN_ERROR)})${verdict(error <= MAX_MEDIAN_ERROR)}`,
  );
  console.log(`  bounds broken                 ${broken.length} (goal 0)${verdict(broken.length === 0)}`);
  console.log(
    `  bound ÷ actual                median ${middle.toFixed(2)} (goal ${MAX_MEDIAN_BOUND}), p95 ${p95.toFixed(2)} (goal ${MAX_P95_BOUND})${verdict(middle <= MAX_MEDIAN_BOUND && p95 <= MAX_P95_BOUND)}`,
  );
  console.log(`  runs that their bound ended   ${outcomes.filter(({ ended }) => ended).length}`);
  for (const { file, expected, bound, actual } of broken)
    console.log(`  broken: ${file}: ${actual} of ${bound}, expected ${expected}`);
}

/** Starts the service of this machine with settings of its own. */
async function startWith(
  folder: string,
  env: Record<string, string>,
): Promise<{ child: ChildProcess; client: SheafClient }> {
  const before = { ...process.env };
  Object.assign(process.env, env);
  try {
    const { child, url } = await startLocalService(folder, `1:${KEY}:read+write+billing`);
    return { child, client: new SheafClient({ apiUrl: url, token: KEY }) };
  } finally {
    process.env = before;
  }
}

/** Credits more tokens than all runs can use, beside the running service. */
function grantTokens(folder: string): void {
  const grant = ["bin/sheaf.mjs", "admin", "grant", "1", "1000000000", "--key", "bench"];
  execFileSync(process.execPath, grant, { env: { ...process.env, SHEAF_DATA_DIR: folder }, stdio: "ignore" });
}

async function processed(client: SheafClient, bytes: Uint8Array, command: UploadCommand) {
  const { guid } = await client.upload(bytes, { fileName: "document.pdf", mimeType: "application/pdf" });
  const quote = await client.billing.quote({ guid }, command);
  await client.process(guid, command);
  const job = await client.wait(guid, { timeoutSeconds: 300 });
  const result = job.status === "FAILED" ? undefined : await client.result(guid);
  return { quote, job, text: result?.text };
}

/** Runs the benchmark and prints it. */
export async function run(args: string[]): Promise<void> {
  const corpus = corpusFolder(args);
  if (!canMeasure(corpus)) return;
  const files = (await textPdfs(corpus)).slice(0, numberOf(args, "--files", 1_000));
  const folder = mkdtempSync(path.join(tmpdir(), "sheaf-quotes-bench-"));
  let answer = "{}";
  const { server, url } = await startModel(() => answer);
  const model = {
    OPENAI_API_KEY: "none",
    OPENAI_BASE_URL: url,
    LLM_MODEL_DEFAULT: "bench-model",
    SHEAF_BILLING: "enforced",
  };
  const offline = await startWith(path.join(folder, "offline"), {});
  const asking = await startWith(path.join(folder, "asking"), model);
  const all: Outcome[] = [];
  try {
    grantTokens(path.join(folder, "asking"));
    for (const [name, command] of COMMANDS) {
      const outcomes: Outcome[] = [];
      for (const file of files) {
        const bytes = readFileSync(file);
        if (bytes.length > MAX_BYTES) continue;
        const { text } = await processed(offline.client, bytes, command);
        answer = text ?? "{}";
        const { quote, job } = await processed(asking.client, bytes, command);
        const actual = job.usage?.tokens ?? 0;
        // A document that a model is not asked about has no price to compare.
        if (actual === 0) continue;
        const ended = OUT_OF_TOKENS.test(job.error ?? "");
        const outcome = { file: path.basename(file), expected: quote.tokens, bound: quote.upperBound, actual, ended };
        outcomes.push(outcome);
        if (args.includes("--list")) console.log(JSON.stringify(outcome));
      }
      console.log(`\n${name}`);
      print(outcomes);
      all.push(...outcomes);
    }
    console.log("\nall");
    print(all);
  } finally {
    offline.child.kill();
    asking.child.kill();
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  }
}
