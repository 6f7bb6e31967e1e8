/** Repeats one job and kills it at each of its writes: it must end as it does undisturbed, without more requests. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { openRecords } from "../../functions/adapters/local/records.ts";
import type { Ledger } from "../../functions/service/billing/ledger.ts";
import { ledgerOf } from "../../functions/service/organizations/organization-ledger.ts";
import { ChaosService } from "./chaos.ts";
import { isWrite } from "./fail-points.ts";
import type { ModelServer } from "./model-server.ts";

/** The last writes come after the answer that a caller waits for. */
const LAST_WRITES_WAIT_MS = 1_500;
/** Jobs that are killed as the first of a service until one dies: steps that run side by side write in turns. */
const FIRST_JOB_TRIES = 3;
/** Kills between two progress lines. */
const KILLS_PER_PROGRESS_LINE = 20;

/** Upload and command write two records of each key; any more are leases, which a slow machine renews by the clock. */
const MAX_KEY_WRITES = 4;
const isRenewal = (call: string): boolean =>
  Number(/ org\/N\/idempotency HASH#(\d+)$/.exec(call)?.[1]) > MAX_KEY_WRITES;

export interface Swept {
  name: string;
  document: Uint8Array;
  wish: object;
  /** Starts at the first write that matches; other sweeps cover the way there. */
  from?: RegExp;
  /** Billing is enforced: the tokens that the job cost are part of its outcome. */
  billed?: true;
  /** Other work than one document: gives its outcome, of requests that are repeated under the same keys. */
  work?: (service: ChaosService, name: string) => Promise<Record<string, unknown>>;
}

/** More than all jobs of a sweep cost. */
const GRANTED_TOKENS = 100_000_000;

/** Grants tokens beside the running service, and checks its ledger, as the command line does. */
async function withLedger<T>(dataDir: string, work: (ledger: Ledger) => Promise<T>): Promise<T> {
  const records = openRecords(join(dataDir, "records.sqlite"), { clock: systemClock() });
  try {
    return await work(ledgerOf(records, 1, systemClock()));
  } finally {
    records.close();
  }
}

/** The outcome of a job: all of it must be the same after a kill. */
type End = Record<string, unknown>;

interface Kill {
  died: boolean;
  /** Calls of the model beyond those of an undisturbed job. */
  again: number;
}

export class CrashSweep {
  readonly #swept: Swept;
  readonly #server: ModelServer | undefined;
  #service: ChaosService;
  #undisturbed: { end: End; calls: number } | undefined;
  #underWay = 0;
  /** Balances before the jobs: one that is asked for twice cost nothing before. */
  readonly #balances = new Map<string, number>();

  /** @param server without one there is no model */
  constructor(swept: Swept, server?: ModelServer) {
    this.#swept = swept;
    this.#server = server;
    this.#service = this.#open();
  }

  #open(): ChaosService {
    const billing = this.#swept.billed === true ? { SHEAF_BILLING: "enforced" } : {};
    if (this.#server === undefined) return new ChaosService(billing);
    const model = { OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: this.#server.url, LLM_MODEL_DEFAULT: "a-model" };
    return new ChaosService({ ...billing, ...model });
  }

  /** Makes sure that the service has tokens; a new one gets them with its first job. */
  async #grant(): Promise<void> {
    if (this.#swept.billed !== true) return;
    await this.#service.up();
    const command = { kind: "grant", key: "all", amount: GRANTED_TOKENS, reason: "a sweep" } as const;
    await withLedger(this.#service.dataDir, (ledger) => ledger.post([command]));
  }

  get #asked(): number {
    return this.#server?.requests.length ?? 0;
  }

  /** The outcome of the undisturbed job. */
  get undisturbed(): { end: End; calls: number } {
    if (this.#undisturbed === undefined) throw new Error("It was not run undisturbed yet");
    return this.#undisturbed;
  }

  /**
   * The moments between writes. Storage changes only at writes, so the moment after one write and the moment before the
   * next differ only in the requests sent in between; the later moment has more to lose.
   */
  async points(): Promise<string[]> {
    await this.#grant();
    await this.#service.arm();
    const before = this.#asked;
    const end = await this.#end("undisturbed");
    this.#undisturbed = { end, calls: this.#asked - before };
    await sleep(LAST_WRITES_WAIT_MS);
    const writes = await this.#writes();
    const { from } = this.#swept;
    const own = writes.slice(from === undefined ? 0 : writes.findIndex((call) => from.test(call)));
    return [...own.map((call) => `${call}:before`), `${own.at(-1)}:after`];
  }

  /**
   * Kills the job at all points. Some writes happen only once in a service, such as the machine of its first job, and
   * some only when two steps meet, such as the second try of a transaction: those that a job without kills does not
   * write either are not missed.
   * @returns the points at which it did not die, and the repeated calls
   */
  async run(points: readonly string[]): Promise<{ missed: string[]; again: number }> {
    const missed: string[] = [];
    let again = 0;
    for (const [at, point] of points.entries()) {
      let kill = await this.#killed(`point-${at}`, point);
      for (let tries = 0; !kill.died && tries < FIRST_JOB_TRIES; tries += 1) kill = await this.#killedFirst(point);
      if (!kill.died && (await this.#isWrittenByFirst(point))) missed.push(point);
      again += kill.again;
      if ((at + 1) % KILLS_PER_PROGRESS_LINE === 0)
        console.info(`${this.#swept.name}: ${at + 1} of ${points.length} points`);
    }
    // Every try of a request was the same request.
    expect((await this.#service.call("GET", "/job/list?size=1")).totalSize).toBe(points.length + 1);
    if (this.#swept.billed === true) {
      const { drift, account } = await withLedger(this.#service.dataDir, (ledger) => ledger.reconcile());
      expect([drift, account.held]).toEqual([[], 0]);
    }
    return { missed, again };
  }

  async #writes(): Promise<string[]> {
    return (await this.#service.calls()).filter((call) => isWrite(call) && !isRenewal(call));
  }

  /** Does something in a new service. */
  async #inNew<T>(work: () => Promise<T>): Promise<T> {
    const used = this.#service;
    this.#service = this.#open();
    try {
      return await work();
    } finally {
      await this.#service.close();
      this.#service = used;
    }
  }

  #killedFirst(point: string): Promise<Kill> {
    return this.#inNew(async () => {
      await this.#grant();
      this.#balances.delete("first");
      return this.#killed("first", point);
    });
  }

  /** True when the first job of a service makes the write of a point. */
  #isWrittenByFirst(point: string): Promise<boolean> {
    return this.#inNew(async () => {
      await this.#grant();
      this.#balances.delete("first");
      await this.#service.arm();
      await this.#end("first");
      await sleep(LAST_WRITES_WAIT_MS);
      return (await this.#writes()).includes(point.replace(/:(?:before|after)$/, ""));
    });
  }

  async #killed(name: string, point: string): Promise<Kill> {
    const { end, calls } = this.undisturbed;
    const service = this.#service;
    await service.arm(point);
    const { starts } = service;
    const [asked, kept] = [this.#asked, this.#kept()];
    this.#underWay = 0;
    service.starting = () => {
      this.#underWay = this.#asked - asked - (this.#kept() - kept);
    };
    expect(await this.#end(name), point).toEqual(end);
    for (let waited = 0; service.starts === starts && service.alive && waited < LAST_WRITES_WAIT_MS; waited += 20) {
      await sleep(20);
    }
    const died = service.starts > starts || !service.alive;
    if (!service.alive) expect(await this.#end(name), point).toEqual(end);
    service.starting = () => undefined;
    const again = this.#asked - asked - calls;
    expect([point, again <= this.#underWay], `${again} calls again, ${this.#underWay} under way`).toEqual([
      point,
      true,
    ]);
    return { died, again };
  }

  /** Answers on record. */
  #kept(): number {
    const files = readdirSync(this.#service.dataDir, { recursive: true, encoding: "utf8" });
    return files.filter((file) => /[/\\]answers[/\\].*=$/.test(file)).length;
  }

  /** The outcome of a job, with what it cost where it is billed. */
  async #end(name: string): Promise<End> {
    const { work, billed } = this.#swept;
    const balance = async () => this.#service.call("GET", "/billing/balance");
    const before = this.#balances.get(name) ?? (billed === true ? (await balance()).balance : 0);
    this.#balances.set(name, before);
    const end = await (work === undefined ? this.#document(name) : work(this.#service, name));
    if (billed !== true) return end;
    const after = await balance();
    return { ...end, spent: before - after.balance, held: after.held };
  }

  async #document(name: string): Promise<End> {
    const { document, wish } = this.#swept;
    const job = await this.#service.job(name, document, wish);
    const { operations } = await this.#service.call("GET", `/operation/${job.guid}`);
    const { status, error, result, usage, runs, pipeline } = job;
    const nodes = pipeline?.nodes as { id: string; status: string; warnings: string[] }[] | undefined;
    return {
      status,
      error,
      result,
      usage,
      runs: runs.length,
      nodes: nodes?.map((node) => ({ id: node.id, status: node.status, warnings: node.warnings })),
      operations: (operations as { status: string; error: string | null; result: string | null }[]).map((one) => [
        one.status,
        one.error,
        one.result?.replace(/"processing_time_ms":\d+/, ""),
      ]),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#service.close();
  }
}
