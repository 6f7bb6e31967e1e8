/**
 * The cost of polling: CPU time of the service's process for a GET /job/status/{guid}, at a fixed rate that does not
 * wait for answers, compared with a bare node:http server that answers with as many bytes, both in each round; then many
 * connections that each wait for a job's end with `waitSeconds`. `npm run bench -- poll [--rate N] [--seconds N]
 * [--rounds N] [--connections N]`: N seconds a round and server, at most N rounds.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { Agent, type ClientRequest, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { numberOf } from "./support/options.ts";
import { judge, repeatUntilNarrow, sayFigure, sayLoad } from "./support/repeat.ts";

const DEFAULT_RATE = 400;
const DEFAULT_SECONDS = 2;
const DEFAULT_ROUNDS = 20;
const DEFAULT_CONNECTIONS = 2000;
/** The most times a bare server's CPU time that a poll may take. */
const MAX_CPU_RATIO = 3;
const API_KEY = "bench-key-of-polls";
/** Linux's own count has steps of 10 ms; the scheduler's has nanoseconds. */
const NANOSECONDS_PER_MS = 1e6;

const BARE_SERVER = `
  const body = Buffer.alloc(Number(process.argv[1]), "x");
  const server = require("node:http").createServer((_request, response) => {
    response.writeHead(200, { "Content-Type": "application/json", "Content-Length": body.length });
    response.end(body);
  });
  server.keepAliveTimeout = 60000;
  server.listen(0, "127.0.0.1", () => console.log("http://127.0.0.1:" + server.address().port));
`;

interface StartedServer {
  child: ChildProcess;
  url: string;
}

async function start(args: string[], env: NodeJS.ProcessEnv, find: RegExp): Promise<StartedServer> {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "ignore"],
  });
  if (child.stdout === null) throw new Error("The process has an output");
  for await (const line of createInterface({ input: child.stdout })) {
    const url = find.exec(line)?.[0];
    if (url !== undefined) return { child, url };
  }
  throw new Error("The process ended before it was ready");
}

async function stop({ child }: StartedServer): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

/** CPU milliseconds of a process's threads so far. Source: "sched-stats", The Linux Kernel documentation. */
function cpuMilliseconds({ child }: StartedServer): number {
  const tasks = `/proc/${child.pid}/task`;
  const times = readdirSync(tasks).map((thread) => {
    try {
      return Number(readFileSync(`${tasks}/${thread}/schedstat`, "utf8").split(" ")[0]);
    } catch {
      return 0; // it ended meanwhile
    }
  });
  return times.reduce((sum, one) => sum + one, 0) / NANOSECONDS_PER_MS;
}

interface Load {
  answered: number;
  errors: number;
  /** In milliseconds, ascending. */
  times: number[];
}

function send(url: string, agent: Agent, load: Load): Promise<void> {
  const begun = performance.now();
  return new Promise((resolve) => {
    const failed = (): void => {
      load.errors += 1;
      resolve();
    };
    const call: ClientRequest = request(url, { agent, headers: { authorization: `Bearer ${API_KEY}` } }, (response) => {
      response.resume();
      response.once("end", () => {
        if (response.statusCode !== 200) return failed();
        load.answered += 1;
        load.times.push(performance.now() - begun);
        resolve();
      });
    });
    call.once("error", failed);
    call.end();
  });
}

/** Sends at a fixed rate regardless of answers. @returns also the CPU milliseconds per answer */
async function openLoop(
  server: StartedServer,
  path: string,
  rate: number,
  seconds: number,
): Promise<Load & { each: number }> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const load: Load = { answered: 0, errors: 0, times: [] };
  const before = cpuMilliseconds(server);
  const calls: Promise<void>[] = [];
  const begun = performance.now();
  while (performance.now() - begun < seconds * 1000) {
    const due = Math.floor(((performance.now() - begun) / 1000) * rate);
    while (calls.length < due) calls.push(send(server.url + path, agent, load));
    await sleep(5);
  }
  await Promise.all(calls);
  agent.destroy();
  load.times.sort((a, b) => a - b);
  return { ...load, each: (cpuMilliseconds(server) - before) / Math.max(1, load.answered) };
}

const quantile = (times: readonly number[], share: number): number =>
  times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;

/** Compares the servers round by round, so that other load meets both, and prints it. */
async function compare(
  { service, bare }: { service: StartedServer; bare: StartedServer },
  path: string,
  { rate, seconds, rounds }: { rate: number; seconds: number; rounds: number },
): Promise<void> {
  for (const one of [service, bare]) await openLoop(one, path, rate, 3);
  let errors = 0;
  const repeated = await repeatUntilNarrow(
    async () => {
      const theirs = await openLoop(bare, path, rate, seconds);
      const ours = await openLoop(service, path, rate, seconds);
      errors += theirs.errors + ours.errors;
      return {
        theirs: theirs.each,
        ours: ours.each,
        ratio: ours.each / theirs.each,
        median: quantile(ours.times, 0.5),
        p99: quantile(ours.times, 0.99),
      };
    },
    { narrow: ["ratio"], mostRounds: rounds },
  );
  const { theirs, ours, ratio, median, p99 } = repeated.spreads;
  const known = repeated.isNarrow;
  process.stdout.write(`${sayLoad(repeated)}\n`);
  process.stdout.write(`  node:http  ${sayFigure(theirs, known, 3)} ms of CPU a poll\n`);
  process.stdout.write(`  sheaf      ${sayFigure(ours, known, 3)} ms of CPU a poll\n`);
  process.stdout.write(`  answered after ${sayFigure(median, known)} ms, 99 % after ${sayFigure(p99, known)} ms\n`);
  process.stdout.write(`  ${errors} errors\n`);
  process.stdout.write(`  ratio ${sayFigure(ratio, known)}\n`);
  const verdict = judge(ratio, { most: MAX_CPU_RATIO });
  process.stdout.write(`a poll takes at most ${MAX_CPU_RATIO} times the CPU of node:http: ${verdict}\n`);
  if (verdict === "FAILED") process.exitCode = 1;
}

/** The cost of many connections that wait at once for a job that does not end. */
async function measureWaiting(
  server: StartedServer,
  guid: string,
  connections: number,
): Promise<Load & { share: number }> {
  const agent = new Agent({ keepAlive: false, maxSockets: connections });
  const load: Load = { answered: 0, errors: 0, times: [] };
  const calls = Array.from({ length: connections }, () =>
    send(`${server.url}/job/status/${guid}?waitSeconds=20`, agent, load),
  );
  // After the opening of the connections, and before the first answers.
  await sleep(8000);
  const before = cpuMilliseconds(server);
  const begun = performance.now();
  await sleep(8000);
  const share = (cpuMilliseconds(server) - before) / (performance.now() - begun);
  await Promise.all(calls);
  load.times.sort((a, b) => a - b);
  return { ...load, share };
}

async function upload(url: string): Promise<string> {
  const body = new FormData();
  body.append("document", new Blob(["Total: 12.50 EUR"]), "bench.txt");
  const headers = { authorization: `Bearer ${API_KEY}` };
  const answer = await fetch(`${url}/document/upload`, { method: "POST", headers, body });
  return ((await answer.json()) as { guid: string }).guid;
}

export async function run(args: string[]): Promise<void> {
  const [rate, seconds] = [numberOf(args, "--rate", DEFAULT_RATE), numberOf(args, "--seconds", DEFAULT_SECONDS)];
  const rounds = numberOf(args, "--rounds", DEFAULT_ROUNDS);
  const connections = numberOf(args, "--connections", DEFAULT_CONNECTIONS);
  if (process.platform !== "linux") {
    process.stdout.write("SKIPPED: the processor time of another process is read from /proc, which is Linux's\n");
    return;
  }
  const dataDir = mkdtempSync(join(tmpdir(), "sheaf-bench-poll-"));
  const env = { PORT: "0", SHEAF_DATA_DIR: dataDir, SHEAF_API_KEYS: `1:${API_KEY}:read+write`, SHEAF_LOG: "warn" };
  const service = await start([join(import.meta.dirname, "../bin/local.ts")], env, /http:\/\/127\.0\.0\.1:\d+/);
  try {
    const guid = await upload(service.url);
    const path = `/job/status/${guid}`;
    const { length } = await (
      await fetch(service.url + path, { headers: { authorization: `Bearer ${API_KEY}` } })
    ).text();
    const bare = await start(["-e", BARE_SERVER, "--", String(length)], {}, /http:\/\/127\.0\.0\.1:\d+/);
    try {
      process.stdout.write(`${rate} polls a second for ${seconds} s a round, ${length} bytes each\n`);
      await compare({ service, bare }, path, { rate, seconds, rounds });
    } finally {
      await stop(bare);
    }
    const held = await measureWaiting(service, guid, connections);
    process.stdout.write(
      `${connections} connections that wait: ${held.answered} answers, ${held.errors} errors, ${(held.share * 100).toFixed(1)} % of a processor while they wait\n`,
    );
  } finally {
    await stop(service);
    rmSync(dataDir, { recursive: true, force: true });
  }
}
