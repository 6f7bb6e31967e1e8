/**
 * The cost of an empty node on one machine: a chain of final and transform nodes, run like a user's, compared with a
 * pipeline of one node over the same text. `npm run bench -- pipeline [--nodes N] [--rounds N]`: at most N
 * rounds.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { parseConfig } from "../bin/local/config.ts";
import { startService } from "../bin/local/service.ts";
import { judge, repeatUntilNarrow, sayFigure, sayLoad } from "./support/repeat.ts";

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

export async function run(args: readonly string[]): Promise<void> {
  const [nodes, rounds] = [argument(args, "nodes", 100), argument(args, "rounds", 40)];
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
    // Both lengths in one round, so that other load meets both.
    const round = async () => {
      const [short, long] = [await millisecondsOf(chainOfNodes(2)), await millisecondsOf(chainOfNodes(nodes))];
      return { short, long, each: (long - short) / (nodes - 2) };
    };
    const repeated = await repeatUntilNarrow(round, { narrow: ["each"], mostRounds: rounds });
    const { short, long, each } = repeated.spreads;
    console.log(sayLoad(repeated));
    console.log(`${nodes} nodes: ${sayFigure(long, true, 0)} ms; 2 nodes: ${sayFigure(short, true, 0)} ms`);
    console.log(`a node: ${sayFigure(each, repeated.isNarrow)} ms`);
    console.log(`a node takes at most ${MAX_MS_PER_NODE} ms: ${judge(each, { most: MAX_MS_PER_NODE })}`);
  } finally {
    await service.close(1_000);
    rmSync(dataDir, { recursive: true, force: true });
  }
}

interface RunTimes {
  startedAt: string | null;
  completedAt: string | null;
}
