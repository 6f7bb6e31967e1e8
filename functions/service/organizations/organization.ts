import type { Blobs } from "../../ports/blobs.ts";
import type { Observer } from "../../ports/observer.ts";
import type { FindPayments } from "../../ports/payments.ts";
import type { WorkQueue } from "../../ports/queue.ts";
import type { Records } from "../../ports/records.ts";
import type { Slots } from "../../ports/slots.ts";
import type { Wakes } from "../../ports/wakes.ts";
import type { Workflows } from "../../ports/workflows.ts";
import { BILLING_OFF, type BillingSettings } from "../billing/billing-settings.ts";
import type { Ledger } from "../billing/ledger.ts";
import { enginesOf, groupOf } from "./engine-group.ts";
import type { Engines } from "./engines.ts";
import { type OrganizationKeys, organizationKeys } from "./issued-keys.ts";
import { type MachineUses, machineUsesOf } from "./machine-uses.ts";
import type { HashKey } from "./new-key.ts";
import { type OpenRuns, openRunsOf } from "./open-run-counts.ts";
import { ledgerOf } from "./organization-ledger.ts";
import { type OrgOperation, type OrgRecords, organizationBlobs, organizationRecords } from "./organization-records.ts";
import type { PipelineRuns } from "./pipeline-runs.ts";
import type { RateLimit } from "./rate-limit.ts";
import type { RunEstimates } from "./run-estimates.ts";
import { releasingBlobs, type StoredFiles, storedFilesOf } from "./stored-files.ts";
import { organizationVault, type Vault } from "./vault.ts";

/** Limits and switches of a deployment; parsed once, at the edge. */
export interface Config {
  /** Time limit of a run, in seconds from its first step. */
  jobTimeoutSeconds: number;
  /** Bytes. */
  maxDocumentBytes: number;
  maxRequestBytes: number;
  maintenance: boolean;
  /** Largest blob answered in the body, in bytes; larger ones are answered by a redirect to a presigned GET. */
  inlineAnswerBytes: number;
  /**
   * Longest JSON of a schema or a pipeline, in characters, that is checked by the process that took the request; longer
   * ones are checked by the engine. Infinity: each request has a process of its own.
   */
  inlineCheckChars: number;
  /**
   * Longest results, as bytes of JSON, that the process that took the request writes as a table; longer ones are written
   * by the engine. Infinity: each request has a process of its own.
   */
  inlineTableBytes: number;
  /** Longest pages, as bytes of a layout file, that the same process views; others the engine. Infinity as above. */
  inlineLayoutBytes: number;
  /** Days that a job is kept after its end; null: until it is deleted. */
  retentionDays: number | null;
  /** Days that entries of the audit are kept; null: for good. */
  auditDays: number | null;
  /** Most open runs, of all organizations and of one. */
  maxOpenRuns: number;
  orgOpenRuns: number;
  /** Rate limit of each organization; null: none. */
  rateLimit: RateLimit | null;
  /** Starts of each organization's runs: a minute, and at once; more are postponed. Null: no limit. */
  startRate: RateLimit | null;
  /** Most pages of each organization that text recognition reads a day (UTC); null: no limit. */
  pageQuota: number | null;
  /** Process long lists by distributed Maps, which read them from the file store. */
  distributedMaps: boolean;
  billing: BillingSettings;
  /** The service's own address, as its callers know it. */
  publicUrl(): string;
}

export const DEFAULT_CONFIG: Config = {
  jobTimeoutSeconds: 300,
  maxDocumentBytes: 10_000_000,
  maxRequestBytes: 15_000_000,
  maintenance: false,
  inlineAnswerBytes: Number.POSITIVE_INFINITY,
  // Checking this much takes some tens of milliseconds of the API's thread (npm run bench -- worst-request).
  inlineCheckChars: 64_000,
  // Writing this much takes some tens of milliseconds of the API's thread (npm run bench -- table-files).
  inlineTableBytes: 64_000,
  // Viewing this much takes about ten milliseconds (test/full/loop-holds.test.ts).
  inlineLayoutBytes: 64_000,
  retentionDays: 14,
  // A year: PCI DSS 4.0, 10.5.1, asks for twelve months of audit history.
  auditDays: 365,
  maxOpenRuns: 20_000,
  orgOpenRuns: 10_000,
  rateLimit: null,
  startRate: null,
  pageQuota: null,
  distributedMaps: false,
  billing: BILLING_OFF,
  publicUrl: () => "http://127.0.0.1:3000",
};

/** The drivers of a process. Only the composition (bin, the Lambda entries) uses the whole. */
export interface Platform {
  records: Records;
  blobs: Blobs;
  workflows: Workflows;
  queue: WorkQueue;
  slots: Slots;
  /** Absent: others do the work, and those who wait for it look again and again. */
  wakes?: Wakes;
  vault: Vault;
  /** Seals the passwords of documents while their runs are open, and the keys of organizations' own providers. */
  documentVault: Vault;
  engines: Engines;
  pipelines: PipelineRuns;
  estimates: RunEstimates;
  payments: FindPayments;
  /** Absent: this process issues no keys. */
  hashKey?: HashKey;
  observer: Observer;
  config: Config;
}

/** Everything that work for one organization may use. */
export interface Organization {
  readonly id: number;
  readonly records: OrgRecords;
  readonly blobs: Blobs;
  readonly workflows: Workflows;
  readonly queue: WorkQueue;
  /** The organization's own. */
  readonly slots: Slots;
  readonly wakes?: Wakes;
  readonly vault: Vault;
  readonly documentVault: Vault;
  readonly engines: Engines;
  readonly pipelines: PipelineRuns;
  readonly estimates: RunEstimates;
  readonly payments: FindPayments;
  readonly observer: Observer;
  readonly config: Config;
  readonly openRuns: OpenRuns;
  readonly machineUses: MachineUses;
  readonly keys: OrganizationKeys;
  readonly storedFiles: StoredFiles;
  readonly ledger: Ledger<OrgOperation>;
}

const refuseToHash: HashKey = () => Promise.reject(new Error("This function issues no keys"));

/** Binds a platform to one organization. */
export function bindOrganization(platform: Platform, id: number): Organization {
  const { clock } = platform.engines;
  const records = organizationRecords(platform.records, id);
  const storedFiles = storedFilesOf(records, clock);
  return {
    id,
    records,
    blobs: releasingBlobs(organizationBlobs(platform.blobs, id), storedFiles),
    storedFiles,
    workflows: platform.workflows,
    queue: platform.queue,
    slots: { take: (name, limit) => platform.slots.take(`${groupOf(id)}/${name}`, limit) },
    ...(platform.wakes === undefined ? {} : { wakes: platform.wakes }),
    vault: organizationVault(platform.vault, id),
    documentVault: organizationVault(platform.documentVault, id),
    engines: enginesOf(platform.engines, id),
    pipelines: platform.pipelines,
    estimates: platform.estimates,
    payments: platform.payments,
    observer: platform.observer,
    config: platform.config,
    openRuns: openRunsOf(platform.records, id, platform.config),
    machineUses: machineUsesOf(platform.records, clock),
    keys: organizationKeys(platform.records, id, { clock, hash: platform.hashKey ?? refuseToHash }),
    ledger: ledgerOf(platform.records, id, clock),
  };
}
