/** One round: a service with clients at work, all faults, a last crash, and the check of the history. */

import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isSound } from "../../../functions/adapters/local/records-check.ts";
import { ChaosService } from "../chaos.ts";
import { Chance } from "../oracle/random.ts";
import { openSmallDisk, type SmallDisk } from "../small-disk.ts";
import { check } from "./checker.ts";
import { call, work } from "./client.ts";
import { History, JOB_KINDS } from "./history.ts";
import { inject, type World } from "./injections.ts";
import { startModel, startReceiver } from "./outside.ts";

const CLIENTS = 5;
/** Megabytes of the disk of a round. */
const DISK_MEGABYTES = 48;
/** File handles of the service: enough for its work, too few for its callers. */
const OPEN_FILES = 128;

export interface Round {
  number: number;
  seed: number;
  jobs: number;
  injections: string[];
  /** Answers by status; 0: broken connections. */
  answers: Record<number, number>;
  /** Events that came again after their acknowledgement, because a crash or a full disk kept it from being recorded. */
  repeatedEvents: number;
  starts: number;
  seconds: number;
  violations: string[];
}

function mountedDisk(): SmallDisk | undefined {
  try {
    return openSmallDisk(DISK_MEGABYTES);
  } catch {
    return undefined;
  }
}

const seedOf = (seed: number, number: number): number => (Math.imul(seed, 1_000_003) + number) >>> 0;

/** Lets clients work until the faults are over, and then finish their jobs. */
async function workUnderFaults(world: World, history: History, chance: Chance, number: number): Promise<void> {
  let isOver = false;
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let index = 0; !isOver; index += 1) {
      const name = `round-${number}-client-${client}-job-${index}`;
      const kind = JOB_KINDS[(client + index) % JOB_KINDS.length] ?? "text";
      await work(world.service, history, { name, kind, word: `W${number}X${client}X${index}` });
    }
  });
  try {
    const ended = (): number => history.jobs.filter(({ end }) => end !== undefined).length;
    await inject(world, chance, ended, (text) => history.injections.push(text));
  } finally {
    isOver = true;
  }
  await Promise.all(clients);
}

function keepEvidence(seed: number, history: History, log: string, violations: string[]): string {
  const folder = join(tmpdir(), `sheaf-chaos-evidence-${seed}`);
  mkdirSync(folder, { recursive: true });
  const { jobs, events, injections } = history;
  writeFileSync(join(folder, "history.json"), JSON.stringify({ violations, injections, jobs, events }, null, 2));
  writeFileSync(join(folder, "service.log"), log);
  return folder;
}

/** Runs one round. Its workload and its faults follow from the seed; the timing is the machine's. */
export async function runRound(number: number, seed: number): Promise<Round> {
  const began = performance.now();
  const own = seedOf(seed, number);
  const history = new History();
  const disk = mountedDisk();
  let log = "";
  const model = await startModel();
  const receiver = await startReceiver(history);
  const env = { OPENAI_API_KEY: "sk-chaos", OPENAI_BASE_URL: model.server.url, LLM_MODEL_DEFAULT: "a-model" };
  const service = new ChaosService(env, {
    ...(disk === undefined ? {} : { dataDir: disk.path }),
    openFiles: OPEN_FILES,
    allProcesses: true,
    log: (text) => {
      log += text;
    },
  });
  try {
    await call(service, history, "PUT", "/settings/webhook", { json: { url: receiver.url } });
    await workUnderFaults({ service, disk, model, receiver }, history, new Chance(own), number);
    await service.kill();
    const violations = await check(service, history);
    await service.kill();
    if (!isSound(join(service.dataDir, "records.sqlite"))) violations.push("The database is damaged");
    if (violations.length > 0) violations.push(`Evidence: ${keepEvidence(own, history, log, violations)}`);
    const acknowledged = history.events.filter((event) => event.acknowledged);
    return {
      number,
      seed: own,
      jobs: history.jobs.length,
      injections: history.injections,
      answers: Object.fromEntries(history.answers),
      repeatedEvents: acknowledged.length - new Set(acknowledged.map(({ id }) => id)).size,
      starts: service.starts,
      seconds: Math.round((performance.now() - began) / 1000),
      violations,
    };
  } finally {
    await service.close();
    await receiver.close();
    await model.server.close();
    disk?.close();
  }
}
