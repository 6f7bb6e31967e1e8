/** Random histories of jobs, and the naive recount that their lists must equal. */
import { deleteJob, finishDeletion } from "../../../../functions/service/lifecycle/delete-job.ts";
import { type JobFilter, listJobs } from "../../../../functions/service/lifecycle/views/job-list.ts";
import type { Organization } from "../../../../functions/service/organizations/organization.ts";
import { carryEntries } from "../../../../functions/service/runs/job-entries.ts";
import { JOB_STATUSES, type JobStatus, jobKey } from "../../../../functions/service/runs/job-records.ts";
import { insertJob, newJob, updateJob } from "../../../../functions/service/runs/job-store.ts";

const HOUR = 3_600_000;
const BEGIN = Date.parse("2026-01-30T21:00:00.000Z");

interface KnownJob {
  guid: string;
  status: JobStatus;
  createdAt: string;
  updatedAt: string;
}

/** A small generator of numbers from 0 to below 1 (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** A page by sorting all known jobs. */
export function naivePage(known: readonly KnownJob[], filter: JobFilter) {
  const { property, direction } = filter.sort;
  const sign = direction === "ASC" ? 1 : -1;
  const found = known
    .filter(({ status }) => filter.statuses?.includes(status) ?? true)
    .filter(({ createdAt }) => createdAt >= (filter.createdAtFrom ?? "") && createdAt <= (filter.createdAtTo ?? "~"))
    .sort(
      (a, b) =>
        sign * (compare(a[property], b[property]) || compare(a.createdAt, b.createdAt) || compare(a.guid, b.guid)),
    );
  const guids = found.map(({ guid }) => guid);
  const start = filter.page * filter.size;
  return { guids: guids.slice(start, start + filter.size), all: guids, totalSize: found.length };
}

const SOURCE = { key: "none", size: 1, sha256: null, mimeType: "text/plain", fileName: null };

/** Jobs of one organization, made, changed and deleted at random over some days. */
export class RandomJobs {
  readonly org: Organization;
  readonly random: () => number;
  readonly known = new Map<string, KnownJob>();
  #now = BEGIN;

  constructor(org: Organization, seed: number) {
    this.random = randomOf(seed);
    const clock = { ...org.engines.clock, now: () => this.#now, guid: () => this.#guid() };
    this.org = { ...org, engines: { ...org.engines, clock } };
  }

  /** GUIDs are not in the order of the times: documents are stored between both. */
  #guid(): string {
    const digits = () =>
      Math.floor(this.random() * 0x10000)
        .toString(16)
        .padStart(4, "0");
    return `${digits()}${digits()}-${digits()}-7${digits().slice(1)}-8${digits().slice(1)}-${digits()}${digits()}${digits()}`;
  }

  pick<T>(items: readonly T[]): T | undefined {
    return items[Math.floor(this.random() * items.length)];
  }

  iso(): string {
    return new Date(this.#now).toISOString();
  }

  async make(): Promise<void> {
    const guid = this.#guid();
    const { status, createdAt, updatedAt } = await insertJob(this.org, guid, SOURCE);
    this.known.set(guid, { guid, status, createdAt, updatedAt });
  }

  /** A document of a batch or an operation: a job that no list shows. */
  async makeHidden(): Promise<void> {
    const [guid, parent] = [this.#guid(), this.#guid()];
    const place = this.random() < 0.5 ? { operation: { parent, type: "x" } } : {};
    const batch = "operation" in place ? {} : { batch: { guid: parent, index: 0, declared: false } };
    await this.org.records.put(jobKey(guid), { ...newJob(this.org, guid, SOURCE), ...place, ...batch });
    await updateJob(this.org, guid, (job) => ({ job: { ...job, status: "COMPLETED" } }));
  }

  /** A job as an earlier release wrote it. */
  async makeOld(): Promise<void> {
    const guid = this.#guid();
    const { tallied: _, ...job } = newJob(this.org, guid, SOURCE);
    const { status, createdAt, updatedAt } = job;
    const entry = { v: 1, guid, status, createdAt, updatedAt };
    const month = createdAt.slice(0, 7);
    await this.org.records.put({ partition: "jobs", sort: month }, { v: 1 });
    await this.org.records.transact([
      { kind: "put", key: jobKey(guid), value: job },
      { kind: "put", key: { partition: `jobs/${month}`, sort: guid }, value: entry },
    ]);
    this.known.set(guid, { guid, status, createdAt, updatedAt });
  }

  async change(): Promise<void> {
    const chosen = this.pick([...this.known.values()]);
    if (chosen === undefined) return;
    const status = this.pick(JOB_STATUSES) ?? "PENDING";
    const updatedAt = this.iso();
    await updateJob(this.org, chosen.guid, (job) => ({ job: { ...job, status, updatedAt } }));
    this.known.set(chosen.guid, { ...chosen, status, updatedAt });
  }

  async remove(): Promise<void> {
    const chosen = this.pick([...this.known.values()]);
    if (chosen === undefined) return;
    await deleteJob(this.org, chosen.guid);
    // Its files and records go at once, later, or by a repeated message.
    for (let times = Math.floor(this.random() * 3); times > 0; times--) await finishDeletion(this.org, chosen.guid);
    this.known.delete(chosen.guid);
  }

  async act(withOld: boolean): Promise<void> {
    this.#now += Math.floor(this.random() ** 6 * 12 * HOUR);
    const chance = this.random();
    if (chance < 0.4) await (withOld && this.random() < 0.5 ? this.makeOld() : this.make());
    else if (chance < 0.5) await this.makeHidden();
    else if (chance < 0.85) await this.change();
    else await this.remove();
  }

  filter(): JobFilter {
    const times = [...this.known.values()].map(({ createdAt }) => createdAt).sort();
    const from = this.random() < 0.3 ? this.pick(times) : undefined;
    const to = this.random() < 0.3 ? this.pick(times) : undefined;
    const statuses = JOB_STATUSES.filter(() => this.random() < 0.4);
    return {
      page: Math.floor(this.random() * 6),
      size: this.pick([1, 3, 7, 20, 500]) ?? 1,
      sort: {
        property: this.pick(["createdAt", "createdAt", "status", "updatedAt"] as const) ?? "createdAt",
        direction: this.random() < 0.5 ? "ASC" : "DESC",
      },
      ...(this.random() < 0.5 ? {} : { statuses }),
      ...(from === undefined ? {} : { createdAtFrom: from }),
      ...(to === undefined ? {} : { createdAtTo: to }),
    };
  }

  carry = (): Promise<number> => carryEntries(this.org, Number.POSITIVE_INFINITY);

  /** A random page as the service lists it, and as the recount does; and all pages by cursor. */
  async compare(): Promise<{ listed: unknown; counted: unknown; what: JobFilter }> {
    const what = this.filter();
    const { guids, all, totalSize } = naivePage([...this.known.values()], what);
    const page = await listJobs(this.org, what);
    const walked: string[] = [];
    for (let { nextCursor: cursor, jobs } = await listJobs(this.org, { ...what, page: 0 }); ; ) {
      walked.push(...jobs.map(({ guid }) => guid));
      if (cursor === undefined) break;
      const next = await listJobs(this.org, { ...what, cursor });
      if (next.page !== Math.floor(walked.length / what.size)) throw new Error(`page ${next.page} by a cursor`);
      ({ nextCursor: cursor, jobs } = next);
    }
    return {
      what,
      listed: { guids: page.jobs.map(({ guid }) => guid), totalSize: page.totalSize, all: walked },
      counted: { guids, totalSize, all },
    };
  }
}
