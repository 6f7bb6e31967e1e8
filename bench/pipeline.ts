/**
 * The cost of an empty node on one machine: a chain of final and transform nodes, run like a user's, compared with a
 * pipeline of one node over the same text. `npm run bench -- pipeline [--nodes N] [--rounds N]`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { parseConfig } from "../bin/local/config.ts";
import { startService } from "../bin/local/service.ts";

const API_KEY = "bench-key-of-pipelines";
/** Milliseconds per node. */
const MAX_MS_PER_NODE = 3;

/** Each node picks from the one before it, so that none run in parallel. */
function chainOfNodes(nodes: number): object {
  const first = { id: "n0", type: "transform", transform: "template", config: { text: "{{$document.guid}}" } };
  const rest = Array.from({ length: nodes - 1 }, (_, at) => ({
    id: `n${at + 1}`,
    type: "final",
    output: { before: `$nodes.n${at}.status` },
  }));
  return { nodes: [first, ...rest], finals: [{ node: `n${nodes - 1}` }] };
}

const argument = (args: readonly string[], name: string, otherwise: number): number => {
  const at = args.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(args[at + 1]);
};

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

export async function run(args: readonly string[]): Promise<void> {
  const [nodes, rounds] = [argument(args, "nodes", 100), argument(args, "rounds", 5)];
  const dataDir = mkdtempSync(join(tmpdir(), "sheaf-bench-"));
  const config = parseConfig({
    PORT: "0",
    SHEAF_DATA_DIR: dataDir,
    SHEAF_API_KEYS: `1:${API_KEY}:read+write`,
    SHEAF_LOG: "error",
  });
  const log = new Writable({ write: (_chunk, _encoding, done) => done() });
  const service = await startService({ config, log });
  const call = async (method: string, path: string, body?: FormData | string) => {
    const headers = {
      authorization: `Bearer ${API_KEY}`,
      ...(typeof body === "string" ? { "content-type": "application/json" } : {}),
    };
    const answer = await fetch(service.url + path, { method, headers, ...(body === undefined ? {} : { body }) });
    return (await answer.json()) as { guid: string; status: string; error: string | null; runs: RunTimes[] };
  };
  const millisecondsOf = async (pipeline: object): Promise<number> => {
    const form = new FormData();
    form.append("document", new Blob(["One line of text."], { type: "text/plain" }), "line.txt");
    const { guid } = await call("POST", "/document/upload", form);
    await call("POST", `/document/process/${guid}`, JSON.stringify({ extractionMode: "PIPELINE", pipeline }));
    const { status, error, runs } = await call("GET", `/job/status/${guid}?waitSeconds=25`);
    if (status !== "COMPLETED") throw new Error(`The pipeline is ${status}: ${error}`);
    const [last] = runs.slice(-1);
    return Date.parse(last?.completedAt ?? "") - Date.parse(last?.startedAt ?? "");
  };
  try {
    await millisecondsOf(chainOfNodes(nodes));
    const long: number[] = [];
    const short: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      short.push(await millisecondsOf(chainOfNodes(2)));
      long.push(await millisecondsOf(chainOfNodes(nodes)));
    }
    const each = (median(long) - median(short)) / (nodes - 2);
    console.log(`${nodes} nodes: ${median(long)} ms; 2 nodes: ${median(short)} ms; medians of ${rounds}`);
    console.log(
      `a node: ${each.toFixed(2)} ms of at most ${MAX_MS_PER_NODE} ms (${(each / MAX_MS_PER_NODE).toFixed(2)} of it)`,
    );
  } finally {
    await service.close(1_000);
    rmSync(dataDir, { recursive: true, force: true });
  }
}

interface RunTimes {
  startedAt: string | null;
  completedAt: string | null;
}
