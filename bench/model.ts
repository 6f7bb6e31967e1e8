/**
 * The overhead of the model driver: the time of `answer` compared with that of the bare `openai` client, with the same
 * request to the same server in this process, alternating, in rounds. `npm run bench -- model [--calls N]`: N of each in
 * a round, default 50. Both share one event loop with the server, so that work is measured, not waiting.
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
import { isNarrow, judge, repeatUntilNarrow, type Spread, sayFigure, sayLoad } from "./support/repeat.ts";
import { quantile } from "./support/spread.ts";

const DEFAULT_CALLS = 50;
const WARM_UP_CALLS = 50;
/** Median overhead in milliseconds. */
const MAX_OVERHEAD_MS = 10;
/** Widest interval that is told, as a share of its median. */
const MAX_WIDTH = 0.1;
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

async function timeCall(call: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await call();
  return performance.now() - started;
}

/** One round: the median times of both in milliseconds. They take turns in going first, because of garbage. */
async function measureRound(ask: () => Promise<unknown>, askBare: () => Promise<unknown>, calls: number) {
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let call = 0; call < calls; call += 1) {
    const first = call % 2 === 0;
    const before = first ? await timeCall(ask) : await timeCall(askBare);
    const after = first ? await timeCall(askBare) : await timeCall(ask);
    ours.push(first ? before : after);
    theirs.push(first ? after : before);
  }
  const [own, bare] = [quantile(ours, 0.5), quantile(theirs, 0.5)];
  return { own, bare, overhead: own - bare, ratio: own / bare };
}

/** Measures both, and says whether the overhead keeps its budget. */
async function measure({ name, request }: Payload, calls: number): Promise<ReturnType<typeof judge>> {
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
    await measureRound(ask, askBare, WARM_UP_CALLS);
    const repeated = await repeatUntilNarrow(() => measureRound(ask, askBare, calls), {
      narrow: ["ratio"],
      width: MAX_WIDTH,
    });
    const { own, bare: theirs, overhead, ratio } = repeated.spreads;
    const say = (spread: Spread): string => sayFigure(spread, isNarrow(spread, MAX_WIDTH));
    console.log(`${name}: rounds of ${calls} calls of each, ${(last.length / 1024).toFixed(0)} KB a request`);
    console.log(`  openai client   ${say(theirs)} ms`);
    console.log(`  our driver      ${say(own)} ms`);
    console.log(`  overhead        ${say(overhead)} ms at the median`);
    console.log(`  times the client ${say(ratio)}; ${sayLoad(repeated)}`);
    return judge(overhead, { most: MAX_OVERHEAD_MS });
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** Runs the benchmark and prints it. */
export async function run(args: string[]): Promise<void> {
  const at = args.indexOf("--calls");
  const calls = at >= 0 ? Math.max(Math.trunc(Number(args[at + 1])) || 0, 10) : DEFAULT_CALLS;
  for (const payload of payloads()) {
    const verdict = await measure(payload, calls);
    console.log(`  budget of ${MAX_OVERHEAD_MS} ms: ${verdict}`);
    if (verdict === "FAILED") process.exitCode = 1;
  }
}
