/** The service under test: started here on a free port over a temporary folder, or wherever SHEAF_E2E_URL says. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { parseConfig } from "../../bin/local/config.ts";
import { type ServiceOptions, startService } from "../../bin/local/service.ts";
import { openDynamoRecords } from "../../functions/adapters/aws/records.ts";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { AnswerChecker, Api } from "./api.ts";
import { makeRecordsTable, startDynoxide } from "./dynoxide.ts";
import { type KeySet, LOCAL_KEYS, namedKeys } from "./keys.ts";
import { REMOTE_URL, remoteKeys } from "./target.ts";

export interface TestService {
  api: Api;
  other: Api;
  keys: KeySet;
  url: string;
  /** Everything that was logged. */
  log(): string;
  close(): Promise<void>;
}

type TestServiceOptions = Partial<ServiceOptions> & { dataDir?: string; env?: Record<string, string> };

async function callers(url: string, keys: KeySet): Promise<Pick<TestService, "api" | "other" | "keys" | "url">> {
  const answer = await fetch(`${url}/openapi.json`);
  if (!answer.ok) throw new Error(`${url}/openapi.json answers ${answer.status}: ${await answer.text()}`);
  const checker = new AnswerChecker(await answer.json());
  return { api: new Api(url, keys.one, checker), other: new Api(url, keys.two, checker), keys, url };
}

/** Records on a DynamoDB of this machine, which lives as long as the service does. */
async function dynamoRecords(dataDir: string): Promise<{ wrap: ServiceOptions["wrap"]; close(): Promise<void> }> {
  const dynoxide = await startDynoxide(join(dataDir, "dynoxide.db"));
  await makeRecordsTable(dynoxide.client, "records");
  const records = openDynamoRecords({ client: dynoxide.client, table: "records", clock: systemClock() });
  return { wrap: ({ blobs }) => ({ records, blobs }), close: () => dynoxide.close() };
}

/**
 * With SHEAF_TEST_RECORDS=dynamodb, the service that is started here keeps its records in DynamoDB.
 * @param options where they ask for anything, the service is always one of this machine; `dataDir`: an existing folder,
 *   which stays after close
 */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  if (REMOTE_URL !== undefined && Object.keys(options).length === 0) {
    return { ...(await callers(REMOTE_URL, remoteKeys())), log: () => "", close: async () => {} };
  }
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
  const service = await startService({ ...options, config, log, ...(wrap ? { wrap } : {}) }).catch(async (error) => {
    await dynamo?.close();
    throw error;
  });
  return {
    ...(await callers(service.url, LOCAL_KEYS)),
    log: () => lines.join(""),
    async close() {
      await service.close(2_000);
      await dynamo?.close();
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
