/** The service under test: started here on a free port in a temporary folder, or the one at SHEAF_E2E_URL. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Records } from "../../functions/ports/records.ts";
import { AnswerChecker, Api } from "./api.ts";
import { type KeySet, LOCAL_KEYS } from "./keys.ts";
import type { LocalServiceOptions } from "./local-service.ts";
import { REMOTE_URL, remoteKeys } from "./target.ts";

export interface TestService {
  api: Api;
  other: Api;
  keys: KeySet;
  url: string;
  /** The service's records, where they are in a local DynamoDB. */
  records?: Records;
  /** The whole log. */
  log(): string;
  close(): Promise<void>;
}

async function callers(url: string, keys: KeySet): Promise<Pick<TestService, "api" | "other" | "keys" | "url">> {
  const answer = await fetch(`${url}/openapi.json`);
  if (!answer.ok) throw new Error(`${url}/openapi.json answers ${answer.status}: ${await answer.text()}`);
  const checker = new AnswerChecker(await answer.json());
  return { api: new Api(url, keys.one, checker), other: new Api(url, keys.two, checker), keys, url };
}

/** @param options any option makes the service a local one */
export async function startTestService(options: LocalServiceOptions = {}): Promise<TestService> {
  if (REMOTE_URL !== undefined && Object.keys(options).length === 0) {
    return { ...(await callers(REMOTE_URL, remoteKeys())), log: () => "", close: async () => {} };
  }
  // The whole service: not loaded when another one is used.
  const { startLocalService } = await import("./local-service.ts");
  const { url, ...service } = await startLocalService(options);
  return { ...(await callers(url, LOCAL_KEYS)), ...service };
}

let shared: Promise<TestService> | undefined;

/**
 * A service for all files that their process runs and that mind nobody else's jobs: each start takes 3 s of a processor.
 * It ends with the process.
 */
export function sharedTestService(): Promise<TestService> {
  shared ??= startShared();
  return shared;
}

async function startShared(): Promise<TestService> {
  const close = async (): Promise<void> => {};
  if (REMOTE_URL !== undefined) return { ...(await startTestService()), close };
  const dataDir = mkdtempSync(join(tmpdir(), "sheaf-test-"));
  process.once("exit", () => rmSync(dataDir, { recursive: true, force: true }));
  return { ...(await startTestService({ dataDir })), close };
}
