/** A whole platform in memory: real drivers, a clock that tests move, scripted steps. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBlobs } from "../../functions/adapters/local/blobs.ts";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { openQueue } from "../../functions/adapters/local/queue.ts";
import { openRecords } from "../../functions/adapters/local/records.ts";
import { memorySlots } from "../../functions/adapters/local/slots.ts";
import { openTaskTokens, queuedNodeStep } from "../../functions/adapters/local/task-tokens.ts";
import { openWorkflows } from "../../functions/adapters/local/workflows.ts";
import { openOutbound } from "../../functions/adapters/outbound/guarded.ts";
import { computeValue } from "../../functions/engine/nodes/compute-node.ts";
import type { Clock } from "../../functions/ports/clock.ts";
import type { Engine } from "../../functions/ports/engine.ts";
import { silentObserver } from "../../functions/ports/observer.ts";
import type { OcrEngine } from "../../functions/ports/ocr.ts";
import type { TaskTokens } from "../../functions/ports/task-tokens.ts";
import type { Workflows } from "../../functions/ports/workflows.ts";
import { settleDeadExecution } from "../../functions/service/lifecycle/sweep.ts";
import type { Engines } from "../../functions/service/organizations/engines.ts";
import {
  bindOrganization,
  DEFAULT_CONFIG,
  type Organization,
  type Platform,
} from "../../functions/service/organizations/organization.ts";
import { type SystemRecords, systemRecords } from "../../functions/service/organizations/organization-records.ts";
import { openVault } from "../../functions/service/organizations/vault.ts";
import { pipelineRuns } from "../../functions/service/pipelines/definitions.ts";
import { runEstimates } from "../../functions/service/runs/estimate-run.ts";
import { makeSteps } from "../../functions/steps/index.ts";
import { QUEUED_STEP } from "../../statemachines/steps.ts";
import { withMethods } from "./changed.ts";
import { type Fakes, fakeEngine } from "./engines.ts";

export interface TestPlatform {
  platform: Platform;
  system: SystemRecords;
  org: Organization;
  other: Organization;
  /** Tokens of Tasks that wait for a queue; only tests consume the queues. */
  tokens: TaskTokens;
  /** Advances the clock. */
  pass(seconds: number): void;
  close(): Promise<void>;
}

/** Real time plus the sum of all `pass` calls. */
function movableClock(): Clock & { pass(seconds: number): void } {
  const real = systemClock();
  let added = 0;
  return {
    now: () => real.now() + added,
    wallTime: () => real.wallTime() + added,
    guid: () => real.guid(),
    sleep: (milliseconds) => real.sleep(milliseconds),
    pass: (seconds) => {
      added += seconds * 1000;
    },
  };
}

const bytes = (text: string): Uint8Array => Buffer.from(text);

const FRAME = { width: 8.5, height: 11 };

/** Reads nothing, and answers with a fixed layout. */
export const easyTasks = {
  async read() {
    return {
      layout: bytes("{}"),
      quality: bytes("{}"),
      facts: { provider: "test", pageCount: 3, wordCount: 1, characterCount: 1 },
      pending: [],
    };
  },
  async complete({ reading: { layout, quality } }) {
    const facts = { provider: "test", pageCount: 3, wordCount: 1, characterCount: 1 };
    return { layout, quality, facts, pending: [] };
  },
  picture: async ({ options: { pageNumber } }) => ({ bytes: bytes("picture"), pageNumber, frame: FRAME }),
  picturesPdf: async ({ options: { pageNumbers } }) => ({
    pdf: bytes("%PDF-"),
    views: pageNumbers.map((pageNumber) => ({ pageNumber, frame: FRAME })),
  }),
  pageImage: async () => bytes("picture"),
  extras: async () => ({}),
  acroForm: async () => bytes("{}"),
  cells: async () => bytes(""),
  describe: async () => bytes("{}"),
  locate: async () => ({ sources: bytes("{}"), facts: { found: 1, unresolved: 0, confidence: 1 } }),
  missingRows: async () => ({ lists: [], requests: [], placed: [] }),
  addRows: async ({ data, placed }) => ({ data, removed: 0, declined: [], placed, asked: [] }),
  receipt: async () => ({ short: false }),
  withhold: async ({ result, sources }) => ({ result, sources }),
  computeNodeValue: (task) => computeValue(task),
  transcribe: async () => bytes("text"),
  extract: async () => ({
    result: bytes('{"a":1}'),
    sources: bytes("{}"),
    facts: { found: 1, unresolved: 0, confidence: 1 },
  }),
  inspect: async () => ({ pageCount: 3 }),
  measure: async () => ({ pages: 3, pending: 0 }),
} satisfies Fakes;

/** Answers every task of a run successfully. */
export const easyEngine: Engine = fakeEngine(easyTasks);

/** @param documents tasks that differ from an engine that always succeeds, or another engine */
export function testPlatform(documents: Fakes | Engine = {}, ocr: OcrEngine | null = null): TestPlatform {
  const folder = mkdtempSync(join(tmpdir(), "sheaf-platform-"));
  const clock = movableClock();
  const records = openRecords(":memory:", { clock });
  const blobs = openBlobs(folder, {
    clock,
    presign: { secret: new Uint8Array(32), baseUrl: () => "http://127.0.0.1" },
  });
  const queue = openQueue({ records, clock });
  const tokens = openTaskTokens();
  const workflows = openWorkflows({
    records,
    clock,
    steps: { ...makeSteps((id) => bindOrganization(platform, id)), [QUEUED_STEP]: queuedNodeStep(queue, tokens) },
    concurrency: 4,
    onEnd: (execution) => settleDeadExecution(platform, execution),
  });
  const engines: Engines = {
    clock,
    documents: "run" in documents ? documents : fakeEngine(documents, easyEngine),
    ocr,
    model: null,
    outbound: openOutbound({ loopback: true }),
    states: () => {
      throw new Error("Nobody asks here");
    },
  };
  const platform: Platform = {
    records,
    blobs,
    workflows,
    queue,
    slots: memorySlots(clock),
    vault: openVault(async () => Buffer.alloc(32, "vault")),
    documentVault: openVault(async () => Buffer.alloc(32, "vault")),
    engines,
    pipelines: pipelineRuns,
    estimates: runEstimates,
    payments: async () => null,
    observer: silentObserver,
    config: DEFAULT_CONFIG,
  };
  return {
    platform,
    system: systemRecords(records),
    org: bindOrganization(platform, 1),
    other: bindOrganization(platform, 2),
    tokens,
    pass: clock.pass,
    async close() {
      await workflows.close();
      queue.close();
      records.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The same organization with some methods of its Workflows driver replaced. */
export const withWorkflows = (org: Organization, methods: Partial<Workflows>): Organization => ({
  ...org,
  workflows: withMethods(org.workflows, methods),
});

/** The same organization, but started executions never run. */
export const withLostStarts = (org: Organization): Organization =>
  withWorkflows(org, { start: async () => ({ started: true }) });
