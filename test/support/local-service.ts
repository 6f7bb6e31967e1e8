/** A local service in the test's own process: on a free port, in a temporary folder. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { parseConfig } from "../../bin/local/config.ts";
import { startService } from "../../bin/local/service.ts";
import { ENGINE_PROCESS, openServiceBundle } from "../../bin/local/service-bundle.ts";
import type { ServiceOptions } from "../../bin/local/service-options.ts";
import { openDynamoRecords } from "../../functions/adapters/aws/records.ts";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import type { CodeBundle } from "../../functions/adapters/local/code-bundle/code-bundle.ts";
import { type LocalEngine, openEngine } from "../../functions/adapters/local/engine.ts";
import { ServiceUnavailable } from "../../functions/ports/errors.ts";
import type { Records } from "../../functions/ports/records.ts";
import { DEFAULT_CONFIG } from "../../functions/service/organizations/organization.ts";
import { makeRecordsTable, startDynoxide } from "./dynoxide.ts";
import { LOCAL_KEYS, namedKeys } from "./keys.ts";

export type LocalServiceOptions = Partial<ServiceOptions> & {
  /** An existing folder, which stays after close. */
  dataDir?: string;
  env?: Record<string, string>;
};

/** Records in a local DynamoDB, which lives as long as the service. */
async function dynamoRecords(
  dataDir: string,
): Promise<{ records: Records; wrap: ServiceOptions["wrap"]; close(): Promise<void> }> {
  const dynoxide = await startDynoxide(join(dataDir, "dynoxide.db"));
  await makeRecordsTable(dynoxide.client, "records");
  const records = openDynamoRecords({ client: dynoxide.client, table: "records", clock: systemClock() });
  return { records, wrap: ({ blobs }) => ({ records, blobs }), close: () => dynoxide.close() };
}

/** The bundle of the processes, found once for each process of tests. */
const opened = openServiceBundle();

let shared: LocalEngine | undefined;

/**
 * A document process for all services that a process of tests starts, because each start of one takes a second of a
 * processor. Closing a service ends its own tasks only; the process ends with that of the tests.
 */
function sharedDocuments(bundle: CodeBundle | undefined): LocalEngine {
  const { jobTimeoutSeconds } = DEFAULT_CONFIG;
  const bundled = bundle === undefined ? {} : { bundled: bundle.fileOf(ENGINE_PROCESS) };
  shared ??= openEngine({ size: 1, shortTaskProcess: false, clock: systemClock(), jobTimeoutSeconds, ...bundled });
  const engine = shared;
  const closed = Promise.withResolvers<never>();
  closed.promise.catch(() => undefined);
  return {
    run: (task, payload, limits) => Promise.race([engine.run(task, payload, limits), closed.promise]),
    ready: () => engine.ready(),
    fault: () => engine.fault(),
    close: async () => closed.reject(new ServiceUnavailable("The service is closed")),
  };
}

/** True for a service that asks nothing of its document processes. */
const takesAnyProcess = (options: LocalServiceOptions): boolean =>
  (["workerModule", "memoryLimitBytes", "documentProcesses", "shortTaskProcess", "jobTimeoutSeconds"] as const).every(
    (name) => options[name] === undefined,
  );

/**
 * Has one document process and none for short tasks: that of all services, or its own when an option is about it.
 * Keeps its records in DynamoDB with SHEAF_TEST_RECORDS=dynamodb. Its keys are LOCAL_KEYS.
 */
export async function startLocalService(
  options: LocalServiceOptions,
): Promise<{ url: string; records?: Records; log(): string; close(): Promise<void> }> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), "sheaf-test-"));
  const lines: string[] = [];
  const log = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const config = parseConfig({
    PORT: "0",
    SHEAF_DATA_DIR: dataDir,
    SHEAF_API_KEYS: namedKeys([LOCAL_KEYS]),
    SHEAF_LOG: "debug",
    ...options.env,
  });
  const dynamo = process.env.SHEAF_TEST_RECORDS === "dynamodb" ? await dynamoRecords(dataDir) : undefined;
  const wrap = options.wrap ?? dynamo?.wrap;
  const { bundle } = await opened;
  const bundled = bundle === undefined ? {} : { bundle };
  const service = await startService({
    documentProcesses: 1,
    shortTaskProcess: false,
    ...(takesAnyProcess(options) ? { documents: sharedDocuments(bundle) } : {}),
    ...bundled,
    ...options,
    config,
    log,
    ...(wrap ? { wrap } : {}),
  }).catch(async (error) => {
    await dynamo?.close();
    throw error;
  });
  return {
    url: service.url,
    ...(dynamo === undefined ? {} : { records: dynamo.records }),
    log: () => lines.join(""),
    async close() {
      await service.close(2_000);
      await dynamo?.close();
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
