/** Local workflows on a file of their own. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../../../functions/adapters/local/clock.ts";
import { type LocalRecords, openRecords } from "../../../../functions/adapters/local/records.ts";
import {
  type LocalWorkflows,
  openWorkflows,
  type WorkflowsOptions,
} from "../../../../functions/adapters/local/workflows.ts";
import type { StoredRecord } from "../../../../functions/ports/records.ts";
import type { Step, Workflows } from "../../../../functions/ports/workflows.ts";

export const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
export const echo: Step = async (input) => input;

export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(5);
}

export const ended = (workflows: Workflows, name: string): Promise<void> =>
  until(async () => (await workflows.describe(name))?.status !== "RUNNING");

export interface LocalBench {
  directory: string;
  records: LocalRecords;
  /** Ten places and the step `echo`, unless told otherwise. */
  open(options?: Partial<WorkflowsOptions>): LocalWorkflows;
  partition(name: string): Promise<StoredRecord[]>;
  close(): Promise<void>;
}

export async function openLocalBench(): Promise<LocalBench> {
  const clock = systemClock();
  const directory = await mkdtemp(join(tmpdir(), "sheaf-workflows-"));
  const records = openRecords(join(directory, "records.db"), { clock });
  return {
    directory,
    records,
    open: (options = {}) => openWorkflows({ records, clock, steps: { echo }, concurrency: 10, ...options }),
    partition: async (name) => (await records.query({ partition: name, limit: 1000 })).items,
    async close() {
      records.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
