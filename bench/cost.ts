/**
 * What 1,000 documents of one page cost on AWS, engines aside: each is uploaded, processed, waited for and read. The
 * service of this machine does the work, and what its ports are asked for is priced as the drivers for AWS ask for it.
 * `npm run bench -- cost [--documents N] [--prices]`; exits with 1 above the goal. `--prices` prints each price and the
 * page it was read on.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { DEMO_SCHEMA, drawInvoice } from "../bin/demo/invoice.ts";
import { parseConfig } from "../bin/local/config.ts";
import { startService } from "../bin/local/service.ts";
import { SheafClient } from "../client/index.ts";
import { countedPorts, noUse, type Use } from "./cost/counted-ports.ts";
import { PRICES, PRICES_SEEN } from "./cost/prices.ts";
import { numberOf } from "./support/options.ts";

const API_KEY = "bench-key-of-costs";
const DEFAULT_DOCUMENTS = 5;
/** US dollars for 1,000 documents. */
const GOAL = 0.22;

/** The function that inspects an upload, and its document and answer, which pass through the bucket. */
const INSPECTIONS = 1;
const PUTS_PER_INSPECTION = 1;
const GETS_PER_INSPECTION = 1;
/** Calls of SQS for a message: sent, received, deleted. */
const CALLS_PER_MESSAGE = 3;
/** A function waits for its stores one call after the other; a guess above the usual times within a region. */
const SECONDS_PER_STORE_CALL = 0.01;
/** Most functions have less: the API 0.5 and 1, the end of a run 0.5, document work 2. */
const MEMORY_GIGABYTES = 1;
/** START, END and REPORT of a function, its metrics, and perhaps a line of its own. */
const LOG_BYTES_PER_INVOCATION = 1_200;
/** An event of a state machine in its log, and the events of a Task and of another state. */
const LOG_BYTES_PER_EVENT = 600;
const EVENTS_PER_TASK = 5;
const EVENTS_PER_STATE = 2;

/** US dollars of a document, by service. */
function costOf(use: Use): Record<string, number> {
  const invocations = use.requests + use.tasks + use.messages + INSPECTIONS;
  const puts = use.puts + INSPECTIONS * PUTS_PER_INSPECTION;
  const gets = use.gets + INSPECTIONS * GETS_PER_INSPECTION;
  const storeCalls = use.readUnits + use.writeUnits + puts + gets;
  const seconds = storeCalls * SECONDS_PER_STORE_CALL;
  const events = use.tasks * EVENTS_PER_TASK + (use.transitions - use.tasks + 1) * EVENTS_PER_STATE;
  const logBytes = invocations * LOG_BYTES_PER_INVOCATION + events * LOG_BYTES_PER_EVENT;
  return {
    "Step Functions": use.transitions * PRICES.transition.dollars,
    S3: puts * PRICES.put.dollars + gets * PRICES.get.dollars,
    DynamoDB: use.writeUnits * PRICES.writeUnit.dollars + use.readUnits * PRICES.readUnit.dollars,
    Lambda: invocations * PRICES.invocation.dollars + seconds * MEMORY_GIGABYTES * PRICES.gigabyteSecond.dollars,
    "CloudWatch Logs": (logBytes / 1e9) * PRICES.logGigabyte.dollars,
    "X-Ray": PRICES.trace.dollars,
    "API Gateway": use.requests * PRICES.request.dollars,
    SQS: use.messages * CALLS_PER_MESSAGE * PRICES.message.dollars,
  };
}

const meanOf = (uses: readonly Use[]): Use => {
  const sums = Object.entries(noUse()).map(([name]) => {
    const sum = uses.reduce((total, use) => total + use[name as keyof Use], 0);
    return [name, sum / uses.length];
  });
  return Object.fromEntries(sums) as Use;
};

/** One document's way. @returns the number of its requests */
async function processOne(client: SheafClient, invoice: Uint8Array): Promise<number> {
  const { guid } = await client.upload(invoice);
  await client.process(guid, { schema: DEMO_SCHEMA });
  const { status } = await client.wait(guid);
  if (status !== "COMPLETED") throw new Error(`The document is ${status}`);
  await client.result(guid);
  return 4;
}

export async function run(args: string[]): Promise<void> {
  const documents = numberOf(args, "--documents", DEFAULT_DOCUMENTS);
  const dataDir = mkdtempSync(join(tmpdir(), "sheaf-bench-cost-"));
  const env = { PORT: "0", SHEAF_DATA_DIR: dataDir, SHEAF_API_KEYS: `1:${API_KEY}:read+write`, SHEAF_LOG: "error" };
  const log = new Writable({ write: (_chunk, _encoding, done) => done() });
  let use = noUse();
  const wrap = (ports: Parameters<typeof countedPorts>[0]) => countedPorts(ports, () => use);
  const service = await startService({ config: parseConfig(env), log, wrap });
  const uses: Use[] = [];
  try {
    const client = new SheafClient({ apiUrl: service.url, token: API_KEY });
    const invoice = await drawInvoice();
    // The first one makes the machine and the organization's records.
    await processOne(client, invoice);
    for (let count = 0; count < documents; count += 1) {
      use = noUse();
      use.requests = await processOne(client, invoice);
      uses.push(use);
    }
  } finally {
    await service.close(1_000);
    rmSync(dataDir, { recursive: true, force: true });
  }
  const mean = meanOf(uses);
  const units = Object.entries(mean).map(([name, number]) => `${number.toFixed(1)} ${name}`);
  console.log(`A document, mean of ${documents}: ${units.join(", ")}`);
  const cost = Object.entries(costOf(mean)).map(([name, dollars]): [string, number] => [name, dollars * 1000]);
  for (const [name, dollars] of cost) console.log(`  ${name.padEnd(16)} $${dollars.toFixed(4)}`);
  const total = cost.reduce((sum, [, dollars]) => sum + dollars, 0);
  const verdict = total <= GOAL ? "kept" : "EXCEEDED";
  console.log(`Prices of us-east-1, read on ${PRICES_SEEN}; --prices names their pages`);
  if (args.includes("--prices")) {
    for (const { dollars, per, service, seen } of Object.values(PRICES)) {
      const said = dollars.toLocaleString("en-US", { maximumSignificantDigits: 6 });
      console.log(`  $${said.padEnd(14)}${service}, ${per} (${seen})`);
    }
  }
  console.log(`1,000 documents: $${total.toFixed(3)} of at most $${GOAL.toFixed(2)}: ${verdict}`);
  if (total > GOAL) process.exitCode = 1;
}
