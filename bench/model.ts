/**
 * The overhead of the model driver: the time of `answer` compared with that of the bare `openai` client, with the same
 * request to the same server in this process, alternating. `npm run bench -- model [--calls N]`: N of each, default
 * 300. Both share one event loop with the server, so that work is measured, not waiting.
 */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { performance } from "node:perf_hooks";
import OpenAI from "openai";
import { systemClock } from "../functions/adapters/local/clock.ts";
import { openOpenAi } from "../functions/adapters/openai/language-model.ts";
import type { Json } from "../functions/ports/json.ts";
import type { ModelRequest } from "../functions/ports/llm.ts";

const DEFAULT_CALLS = 300;
const WARM_UP_CALLS = 50;
/** Median overhead in milliseconds. */
const MAX_OVERHEAD_MS = 10;
const MODEL = "bench-model";
const KEY = "bench-key";

const FIELDS = Array.from({ length: 30 }, (_, index) => `field${index + 1}`);

const SCHEMA: Json = {
  type: "object",
  properties: Object.fromEntries(
    FIELDS.map((name) => [name, { type: ["string", "null"], description: `The ${name}` }]),
  ),
  required: FIELDS,
  additionalProperties: false,
};

const ANSWER = JSON.stringify({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1_767_225_600,
  model: MODEL,
  choices: [
    {
      index: 0,
      message: {
        role: "assistant",
        content: JSON.stringify(Object.fromEntries(FIELDS.map((name) => [name, `the value of ${name}`]))),
      },
      finish_reason: "stop",
    },
  ],
  usage: { prompt_tokens: 9_000, completion_tokens: 400, total_tokens: 9_400 },
});

interface Payload {
  name: string;
  request: ModelRequest;
}

function payloads(): Payload[] {
  const page = "A line of a document with some words, a date 2026-03-31 and an amount of 1,250.00 EUR.\n".repeat(45);
  const system = { role: "system" as const, text: "You read documents. Answer with what the schema asks for." };
  const format = { kind: "json" as const, name: "answer", schema: SCHEMA };
  const bytes = Uint8Array.from({ length: 300_000 }, (_, index) => (index * 2_654_435_761) >>> 24);
  const image = { mimeType: "image/png" as const, bytes };
  return [
    {
      name: "10 pages of text",
      request: { tier: "DEFAULT", messages: [system, { role: "user", text: page.repeat(10) }], format },
    },
    {
      name: "2 pictures of 300 kB",
      request: { tier: "DEFAULT", messages: [system, { role: "user", text: page, images: [image, image] }], format },
    },
  ];
}

async function startServer(onBody: (body: string) => void): Promise<Server> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    onBody(Buffer.concat(chunks).toString("utf8"));
    response.writeHead(200, { "content-type": "application/json" }).end(ANSWER);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? 0;

async function timeCall(call: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await call();
  return performance.now() - started;
}

/** Times every call, ours and the client's, in milliseconds. @returns the median overhead */
async function measure({ name, request }: Payload, calls: number): Promise<number> {
  let last = "";
  const server = await startServer((body) => {
    last = body;
  });
  try {
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const clock = systemClock();
    const models = { NANO: null, MINI: null, DEFAULT: MODEL, HIGH: null };
    const model = openOpenAi({ clock, apiKey: KEY, baseUrl, models });
    const bare = new OpenAI({ apiKey: KEY, baseURL: baseUrl, maxRetries: 0 });

    const ask = () => model.answer(request, { deadline: clock.now() + 300_000 });
    await ask();
    // The bare client sends exactly the driver's request.
    const params = JSON.parse(last) as OpenAI.ChatCompletionCreateParamsNonStreaming;
    const askBare = () => bare.chat.completions.create(params);
    const [ours, theirs]: [number[], number[]] = [[], []];
    for (let call = -WARM_UP_CALLS; call < calls; call += 1) {
      // They alternate in going first: garbage of one is often collected during the other.
      const first = call % 2 === 0;
      const before = first ? await timeCall(ask) : await timeCall(askBare);
      const after = first ? await timeCall(askBare) : await timeCall(ask);
      if (call < 0) continue;
      ours.push(first ? before : after);
      theirs.push(first ? after : before);
    }
    const overhead = quantile(ours, 0.5) - quantile(theirs, 0.5);
    const show = (values: readonly number[]): string =>
      `median ${quantile(values, 0.5).toFixed(2)} ms, 95 % within ${quantile(values, 0.95).toFixed(2)} ms`;
    console.log(`${name}: ${calls} calls of each, ${(last.length / 1024).toFixed(0)} KB a request`);
    console.log(`  openai client   ${show(theirs)}`);
    console.log(`  our driver      ${show(ours)}`);
    console.log(
      `  overhead        ${overhead.toFixed(2)} ms at the median, ` +
        `${(quantile(ours, 0.5) / quantile(theirs, 0.5)).toFixed(2)} × the client's time`,
    );
    return overhead;
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** Runs the benchmark and prints it. */
export async function run(args: string[]): Promise<void> {
  const at = args.indexOf("--calls");
  const calls = at >= 0 ? Math.max(Math.trunc(Number(args[at + 1])) || 0, 10) : DEFAULT_CALLS;
  const overheads: number[] = [];
  for (const payload of payloads()) overheads.push(await measure(payload, calls));
  const most = Math.max(...overheads);
  console.log(
    most <= MAX_OVERHEAD_MS ? `within the budget of ${MAX_OVERHEAD_MS} ms` : `OVER THE BUDGET of ${MAX_OVERHEAD_MS} ms`,
  );
}
