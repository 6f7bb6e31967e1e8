/**
 * What polling costs: processor time of the service's process for a GET /job/status/{guid}, at a fixed rate that does not
 * wait for answers, beside the same of a bare node:http server that answers as many bytes; then so many connections that
 * each wait for a job's end by `waitSeconds`. `npm run bench -- poll [--rate N] [--seconds N] [--connections N]`.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent, type ClientRequest, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

const RATE = 400;
const SECONDS = 8;
const CONNECTIONS = 2000;
/** How many times a bare server's processor time a poll may take. */
const BUDGET = 4;
const KEY = "bench-poll-key";
/** Ticks of the kernel's clock in a second, on every Linux there is. */
const TICKS = 100;

const BARE = `
  const body = Buffer.alloc(Number(process.argv[1]), "x");
  const server = require("node:http").createServer((_request, response) => {
    response.writeHead(200, { "Content-Type": "application/json", "Content-Length": body.length });
    response.end(body);
  });
  server.keepAliveTimeout = 60000;
  server.listen(0, "127.0.0.1", () => console.log("http://127.0.0.1:" + server.address().port));
`;

interface Started {
  child: ChildProcess;
  url: string;
}

async function start(args: string[], env: NodeJS.ProcessEnv, find: RegExp): Promise<Started> {
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

async function stop({ child }: Started): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

/** Milliseconds of processor time that a process took so far (proc(5), fields 14 and 15 of stat). */
function processorTime({ child }: Started): number {
  const stat = readFileSync(`/proc/${child.pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS;
}

interface Load {
  answered: number;
  errors: number;
  /** Milliseconds, ascending. */
  times: number[];
}

function send(url: string, agent: Agent, load: Load): Promise<void> {
  const begun = performance.now();
  return new Promise((resolve) => {
    const failed = (): void => {
      load.errors += 1;
      resolve();
    };
    const call: ClientRequest = request(url, { agent, headers: { authorization: `Bearer ${KEY}` } }, (response) => {
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

/** Sends at a rate, whatever the answers do. @returns also the processor time of each answer, in milliseconds */
async function openLoop(
  server: Started,
  path: string,
  rate: number,
  seconds: number,
): Promise<Load & { each: number }> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const load: Load = { answered: 0, errors: 0, times: [] };
  const before = processorTime(server);
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
  return { ...load, each: (processorTime(server) - before) / Math.max(1, load.answered) };
}

const at = (times: readonly number[], share: number): string =>
  (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN).toFixed(1);

/** Many connections that wait at once for a job which does not end: what their waiting costs. */
async function waiting(server: Started, guid: string, connections: number): Promise<Load & { share: number }> {
  const agent = new Agent({ keepAlive: false, maxSockets: connections });
  const load: Load = { answered: 0, errors: 0, times: [] };
  const calls = Array.from({ length: connections }, () =>
    send(`${server.url}/job/status/${guid}?waitSeconds=20`, agent, load),
  );
  // Behind the opening of the connections, and before the first answers.
  await sleep(8000);
  const before = processorTime(server);
  const begun = performance.now();
  await sleep(8000);
  const share = (processorTime(server) - before) / (performance.now() - begun);
  await Promise.all(calls);
  load.times.sort((a, b) => a - b);
  return { ...load, share };
}

async function upload(url: string): Promise<string> {
  const body = new FormData();
  body.append("document", new Blob(["Total: 12.50 EUR"]), "bench.txt");
  const headers = { authorization: `Bearer ${KEY}` };
  const answer = await fetch(`${url}/document/upload`, { method: "POST", headers, body });
  return ((await answer.json()) as { guid: string }).guid;
}

function numberOf(args: readonly string[], name: string, fallback: number): number {
  const place = args.indexOf(name);
  const value = Number(place < 0 ? fallback : args[place + 1]);
  if (!(value > 0)) throw new RangeError(`${name} must be a number over 0`);
  return value;
}

export async function run(args: string[]): Promise<void> {
  const [rate, seconds] = [numberOf(args, "--rate", RATE), numberOf(args, "--seconds", SECONDS)];
  const connections = numberOf(args, "--connections", CONNECTIONS);
  if (process.platform !== "linux") {
    process.stdout.write("SKIPPED: the processor time of another process is read from /proc, which is Linux's\n");
    return;
  }
  const dataDir = mkdtempSync(join(tmpdir(), "sheaf-bench-poll-"));
  const env = { PORT: "0", SHEAF_DATA_DIR: dataDir, SHEAF_API_KEYS: `1:${KEY}:read+write`, SHEAF_LOG: "warn" };
  const service = await start([join(import.meta.dirname, "../bin/local.ts")], env, /http:\/\/127\.0\.0\.1:\d+/);
  try {
    const guid = await upload(service.url);
    const path = `/job/status/${guid}`;
    const { length } = await (await fetch(service.url + path, { headers: { authorization: `Bearer ${KEY}` } })).text();
    const bare = await start(["-e", BARE, "--", String(length)], {}, /http:\/\/127\.0\.0\.1:\d+/);
    try {
      for (const one of [service, bare]) await openLoop(one, path, rate, 3);
      const theirs = await openLoop(bare, path, rate, seconds);
      const ours = await openLoop(service, path, rate, seconds);
      const ratio = ours.each / theirs.each;
      process.stdout.write(`${rate} polls a second for ${seconds} s, ${length} bytes each\n`);
      for (const [name, load] of Object.entries({ "node:http": theirs, sheaf: ours })) {
        const cpu = `${load.each.toFixed(3)} ms CPU each`;
        process.stdout.write(
          `  ${name.padEnd(10)} ${cpu}, ${load.errors} errors, ${at(load.times, 0.5)} ms median, ${at(load.times, 0.99)} ms at 99 %\n`,
        );
      }
      process.stdout.write(
        `  ratio ${ratio.toFixed(2)}, at most ${BUDGET}: ${ratio <= BUDGET ? "kept" : "EXCEEDED"}\n`,
      );
    } finally {
      await stop(bare);
    }
    const held = await waiting(service, guid, connections);
    process.stdout.write(
      `${connections} connections that wait: ${held.answered} answers, ${held.errors} errors, ${(held.share * 100).toFixed(1)} % of a processor while they wait\n`,
    );
  } finally {
    await stop(service);
    rmSync(dataDir, { recursive: true, force: true });
  }
}
