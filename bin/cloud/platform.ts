/**
 * The service in its Lambda functions. Each entry provides the ports that its work uses and its rights cover. The
 * others are not in its bundle; using one is a defect with a clear message. Loading a module creates nothing.
 */
import { openS3Blobs } from "../../functions/adapters/aws/blobs.ts";
import { dynamoClient, s3Client } from "../../functions/adapters/aws/clients.ts";
import { openDynamoRecords } from "../../functions/adapters/aws/records.ts";
import type { Blobs } from "../../functions/ports/blobs.ts";
import type { Engine } from "../../functions/ports/engine.ts";
import type { LanguageModel } from "../../functions/ports/llm.ts";
import type { OcrEngine } from "../../functions/ports/ocr.ts";
import type { Outbound } from "../../functions/ports/outbound.ts";
import type { ModelDrivers, OcrDrivers, ProviderProbes } from "../../functions/ports/own-providers.ts";
import type { PassageIndexes } from "../../functions/ports/passage-index.ts";
import type { FindPayments } from "../../functions/ports/payments.ts";
import type { WorkQueue } from "../../functions/ports/queue.ts";
import type { Records } from "../../functions/ports/records.ts";
import type { Slots } from "../../functions/ports/slots.ts";
import type { Workflows } from "../../functions/ports/workflows.ts";
import type { HashKey } from "../../functions/service/organizations/new-key.ts";
import type { Platform } from "../../functions/service/organizations/organization.ts";
import type { PipelineRuns } from "../../functions/service/organizations/pipeline-runs.ts";
import type { RunEstimates } from "../../functions/service/organizations/run-estimates.ts";
import type { Vault } from "../../functions/service/organizations/vault.ts";
import { type Base, cloudEngines, openBase } from "./base.ts";
import { lazily, required, type Variables } from "./environment.ts";

/** The base with the stores, which are opened at their first use. */
export interface Stores extends Base {
  records(): Records;
  blobs(): Blobs;
}

export function openStores(env: Variables): Stores {
  const base = openBase(env);
  const { clock } = base;
  return {
    ...base,
    records: lazily(() => openDynamoRecords({ client: dynamoClient(), table: required(env, "SHEAF_TABLE"), clock })),
    blobs: lazily(() =>
      openS3Blobs({ client: s3Client(), bucket: required(env, "SHEAF_BUCKET"), clock, unlisted: true }),
    ),
  };
}

/** The ports that only some functions have. */
export interface Parts {
  documents?: (stores: Stores) => Engine;
  workflows?: (stores: Stores) => Workflows;
  /** Comes with the workflows of functions that open or start runs. */
  pipelines?: Partial<PipelineRuns>;
  /** Of functions that open runs of callers. */
  estimates?: RunEstimates;
  ocr?: (stores: Stores) => OcrEngine;
  /** Looked up at every invocation, so that it follows the operator's changes. */
  model?: (stores: Stores) => () => Promise<LanguageModel | null>;
  queue?: (stores: Stores) => WorkQueue;
  slots?: (stores: Stores) => Slots;
  payments?: (stores: Stores) => FindPayments;
  vault?: (stores: Stores) => Vault;
  documentVault?: (stores: Stores) => Vault;
  outbound?: () => Outbound;
  /** Of functions that search knowledge bases, or index them. */
  passages?: () => PassageIndexes;
  /** Of the function that issues API keys. */
  hashKey?: (stores: Stores) => HashKey;
  /** Drivers of organizations' own providers, of functions that ask them; they need the vault of documents too. */
  ownModels?: (stores: Stores) => ModelDrivers;
  ownOcr?: (stores: Stores) => OcrDrivers;
  probes?: (stores: Stores) => ProviderProbes;
}

/** Stands for a port that this function does not have, or has in part. */
export function absentPort<T extends object>(port: string, part: Partial<T> = {}): T {
  return new Proxy(part as T, {
    get(target, member) {
      if (Object.hasOwn(target, member)) return Reflect.get(target, member);
      throw new Error(`This function has no ${port}; it was asked for ${String(member)}`);
    },
  });
}

/**
 * @param model of the deployment, when the function extracts
 * @throws ConfigError for a missing setting of the deployment
 */
export function openPlatform(stores: Stores, parts: Parts, model: LanguageModel | null = null): Platform {
  return {
    records: stores.records(),
    blobs: stores.blobs(),
    workflows: parts.workflows?.(stores) ?? absentPort<Workflows>("workflows"),
    queue: parts.queue?.(stores) ?? absentPort<WorkQueue>("queue"),
    slots: parts.slots?.(stores) ?? absentPort<Slots>("slots"),
    vault: parts.vault?.(stores) ?? absentPort<Vault>("vault"),
    documentVault: parts.documentVault?.(stores) ?? absentPort<Vault>("vault for documents' passwords"),
    pipelines: absentPort("pipelines", parts.pipelines),
    estimates: parts.estimates ?? absentPort<RunEstimates>("estimates"),
    payments: parts.payments?.(stores) ?? (() => Promise.reject(new Error("This function has no payments"))),
    ...(parts.hashKey === undefined ? {} : { hashKey: parts.hashKey(stores) }),
    engines: {
      ...(parts.passages === undefined ? {} : { passages: parts.passages() }),
      clock: stores.clock,
      documents: parts.documents?.(stores) ?? absentPort<Engine>("document engine"),
      ocr: parts.ocr?.(stores) ?? absentPort<OcrEngine>("text recognition"),
      model,
      outbound: parts.outbound?.() ?? absentPort<Outbound>("way out"),
      ...(parts.ownModels === undefined ? {} : { ownModels: parts.ownModels(stores) }),
      ...(parts.ownOcr === undefined ? {} : { ownOcr: parts.ownOcr(stores) }),
      ...(parts.probes === undefined ? {} : { probes: parts.probes(stores) }),
      states: cloudEngines,
    },
    observer: stores.observer,
    config: stores.config,
  };
}
