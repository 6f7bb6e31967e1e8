/** The platform of one machine: stores, engines and workflows, from its configuration. */
import { createHmac } from "node:crypto";
import { join } from "node:path";
import { type LocalBlobs, openBlobs } from "../../functions/adapters/local/blobs.ts";
import type { BlobPresign } from "../../functions/adapters/local/blobs-presign.ts";
import { type LocalEngine, openEngine } from "../../functions/adapters/local/engine.ts";
import { GroupPresence } from "../../functions/adapters/local/group-shares.ts";
import { type LocalObserver, localObserver } from "../../functions/adapters/local/observer.ts";
import { openLibreOffice } from "../../functions/adapters/local/office/libreoffice.ts";
import { type LocalQueue, openQueue } from "../../functions/adapters/local/queue.ts";
import type { LocalRecords } from "../../functions/adapters/local/records.ts";
import { memorySlots } from "../../functions/adapters/local/slots.ts";
import { type LocalTaskTokens, openTaskTokens, queuedNodeStep } from "../../functions/adapters/local/task-tokens.ts";
import { memoryWakes } from "../../functions/adapters/local/wakes.ts";
import { type LocalWorkflows, openWorkflows } from "../../functions/adapters/local/workflows.ts";
import { openOutbound } from "../../functions/adapters/outbound/guarded.ts";
import { openThreadedIndexes } from "../../functions/adapters/search/threaded-indexes.ts";
import type { Blobs } from "../../functions/ports/blobs.ts";
import type { Clock } from "../../functions/ports/clock.ts";
import type { LanguageModel } from "../../functions/ports/llm.ts";
import { describeError } from "../../functions/ports/observer.ts";
import type { Outbound } from "../../functions/ports/outbound.ts";
import type { Payments } from "../../functions/ports/payments.ts";
import type { Records } from "../../functions/ports/records.ts";
import type { Wakes } from "../../functions/ports/wakes.ts";
import { settleDeadExecution } from "../../functions/service/lifecycle/sweep.ts";
import type { Engines } from "../../functions/service/organizations/engines.ts";
import { hashUnder } from "../../functions/service/organizations/new-key.ts";
import {
  bindOrganization,
  type Config,
  DEFAULT_CONFIG,
  type Platform,
} from "../../functions/service/organizations/organization.ts";
import { ownerOfKey } from "../../functions/service/organizations/organization-records.ts";
import { openVault } from "../../functions/service/organizations/vault.ts";
import { pipelineRuns } from "../../functions/service/pipelines/definitions.ts";
import { runEstimates } from "../../functions/service/runs/estimate-run.ts";
import { makeSteps } from "../../functions/steps/index.ts";
import { QUEUED_STEP } from "../../statemachines/steps.ts";
import { engineStates } from "../engines.ts";
import type { DataFolder } from "./data-folder.ts";
import { openModel } from "./model.ts";
import { openPayments } from "./payments.ts";
import { openProviderDrivers } from "./provider-drivers.ts";
import { openRecognition } from "./recognition.ts";
import { ENGINE_PROCESS, SEARCH_THREAD } from "./service-bundle.ts";
import type { ServiceOptions } from "./service-options.ts";
import { type OrganizationTurns, organizationOf, organizationTurns } from "./turns.ts";

/** Document work is bound by CPU; some more executions keep the processors busy between steps. */
export const MAX_CONCURRENT_EXECUTIONS = 16;
/** Limit for one organization, so that the document of another finds a place at once. */
export const MAX_ORGANIZATION_EXECUTIONS = 12;

/** The data folder, opened, and the clock of the process. */
type Opened = DataFolder & { clock: Clock };

interface LocalStores {
  clock: Clock;
  observer: LocalObserver;
  /** The server key. */
  key: Buffer;
  records: LocalRecords;
  blobs: LocalBlobs;
  presign: BlobPresign;
  /** Records and blobs as the service sees them; tests may wrap them. */
  ports: { records: Records; blobs: Blobs };
  settings: Config;
}

interface LocalEngines {
  turns: OrganizationTurns;
  payments: Payments | null;
  engines: Engines & { documents: LocalEngine };
  /** Ends the processes of the engines. */
  close(): Promise<void>;
  closeDocuments(): Promise<void>;
}

/** @param url the service's URL, once it listens */
function openStores(
  { config, log, wrap, jobTimeoutSeconds }: ServiceOptions,
  { clock, records, key }: Opened,
  url: () => string,
): LocalStores {
  const observer = localObserver(log, config.logLevel, () => clock.wallTime());
  const presign = { secret: createHmac("sha256", key).update("blobs").digest(), baseUrl: url };
  const blobs = openBlobs(join(config.dataDir, "blobs"), {
    clock,
    presign,
    ownerOf: ownerOfKey,
    recorded: () => records.settled(),
  });
  const settings = {
    ...DEFAULT_CONFIG,
    ...config.limits,
    billing: config.billing,
    publicUrl: () => config.publicUrl ?? url(),
    maintenance: config.maintenance,
    rateLimit: config.rateLimit,
    jobTimeoutSeconds: jobTimeoutSeconds ?? DEFAULT_CONFIG.jobTimeoutSeconds,
  };
  return {
    clock,
    observer,
    key,
    records,
    blobs,
    presign,
    settings,
    ports: wrap?.({ records, blobs }) ?? { records, blobs },
  };
}

/** Outgoing requests, each sent when what it may tell is safe from a power failure. */
function outboundAfter(records: LocalRecords, outbound: Outbound): Outbound {
  return {
    check: (url) => outbound.check(url),
    async request(url, request) {
      await records.settled();
      return outbound.request(url, request);
    },
  };
}

function openDocuments(
  { workerModule, memoryLimitBytes, documentProcesses, shortTaskProcess, bundle }: ServiceOptions,
  { clock, observer, settings }: LocalStores,
  presence: GroupPresence,
): LocalEngine {
  return openEngine({
    clock,
    jobTimeoutSeconds: settings.jobTimeoutSeconds,
    presence,
    onEvent: ({ kind, reason }) => observer.count("worker_events_total", { kind, reason: reason ?? "" }),
    ...(workerModule ? { module: workerModule } : bundle ? { bundled: bundle.fileOf(ENGINE_PROCESS) } : {}),
    ...(memoryLimitBytes ? { memoryLimitBytes } : {}),
    ...(documentProcesses ? { size: documentProcesses } : {}),
    ...(shortTaskProcess === undefined ? {} : { shortTaskProcess }),
  });
}

function openEngines(options: ServiceOptions, stores: LocalStores, presence: GroupPresence): LocalEngines {
  const { config, bundle } = options;
  const { clock, observer, settings, records, key } = stores;
  const { jobTimeoutSeconds } = settings;
  // A few more than processors, because callers wait for the running steps and for their disk.
  const { orgConcurrency } = config;
  const turns = organizationTurns(
    { all: orgConcurrency + 1, alone: orgConcurrency, beside: Math.max(1, orgConcurrency - 1) },
    presence,
  );
  const documents = options.documents ?? openDocuments(options, stores, presence);
  const onNetwork = (): void =>
    observer.log("warn", "LibreOffice runs with network, which this system cannot take away; its settings block links");
  const recognition = openRecognition(options, { clock, jobTimeoutSeconds, observer });
  const { model: asked, state } = openModel(config.model, { clock, observer });
  const model: LanguageModel | null = asked && {
    facts: (tier) => asked.facts(tier),
    answer: (...given) => turns.whileWaiting(() => asked.answer(...given)),
  };
  const outbound = outboundAfter(records, openOutbound({ loopback: config.loopbackWebhooks }));
  const sales = openPayments(config.payments, { clock, observer, key });
  const states = engineStates(recognition.state, state, sales.state);
  const passages = openThreadedIndexes(bundle?.fileOf(SEARCH_THREAD));
  const office = config.office ? openLibreOffice({ clock, searchPath: process.env.PATH ?? "", onNetwork }) : null;
  return {
    turns,
    payments: sales.payments,
    engines: {
      clock,
      documents,
      ocr: recognition.engine,
      model,
      whileWaiting: (work) => turns.whileWaiting(work),
      ...(office === null ? {} : { office }),
      passages,
      outbound,
      ...openProviderDrivers(outbound, { clock, observer, turns }),
      states,
    },
    closeDocuments: () => documents.close(),
    async close() {
      office?.close();
      await documents.close();
      await recognition.close();
      await passages.close();
    },
  };
}

export interface LocalPlatform {
  platform: Platform;
  stores: LocalStores;
  workflows: LocalWorkflows;
  queue: LocalQueue;
  tokens: LocalTaskTokens;
  wakes: Wakes;
  engines: LocalEngines;
  /** The organizations that are there. */
  presence: GroupPresence;
}

/** @param url the service's URL, once it listens @throws ConfigError when a setting cannot be used */
export function openPlatform(options: ServiceOptions, opened: Opened, url: () => string): LocalPlatform {
  const stores = openStores(options, opened, url);
  const { clock, observer, ports, key } = stores;
  const presence = new GroupPresence(() => clock.now());
  const engines = openEngines(options, stores, presence);
  const queue = openQueue({ records: ports.records, clock });
  const tokens = openTaskTokens();
  const wakes = memoryWakes();
  const organization = (id: number) => bindOrganization(platform, id);
  const workflows = openWorkflows({
    records: ports.records,
    clock,
    // A queued node takes its organization's turn when its work begins, and none while it waits for that.
    steps: { ...engines.turns.around(makeSteps(organization)), [QUEUED_STEP]: queuedNodeStep(queue, tokens) },
    concurrency: MAX_CONCURRENT_EXECUTIONS,
    groupOf: organizationOf,
    groupConcurrency: MAX_ORGANIZATION_EXECUTIONS,
    onEnd: (execution) => settleDeadExecution(platform, execution),
    onError: (error) => observer.log("error", "workflow driver", describeError(error)),
  });
  const platform: Platform = {
    ...ports,
    workflows,
    queue,
    slots: memorySlots(clock),
    wakes,
    vault: openVault(async () => key),
    documentVault: openVault(async () => key),
    engines: engines.engines,
    pipelines: pipelineRuns,
    estimates: runEstimates,
    payments: async () => engines.payments,
    hashKey: hashUnder(async () => key),
    observer,
    config: stores.settings,
  };
  return { platform, stores, workflows, queue, tokens, wakes, engines, presence };
}
