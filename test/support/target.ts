/**
 * The service at SHEAF_E2E_URL, for end-to-end tests against a foreign service. SHEAF_E2E_KEYS is a JSON list of key
 * sets: each test file uses one alone, so that its counts are its own.
 */
import { basename } from "node:path";
import { expect } from "vitest";
import { DIFFERENCES, type Recorded } from "../cloud/differences.ts";
import type { Answer } from "./api.ts";
import { KEY_SETS, keySetOf } from "./key-sets.ts";
import type { KeySet } from "./keys.ts";

/** Undefined when the tests start their own service. */
export const REMOTE_URL = process.env.SHEAF_E2E_URL;

/** Prints a line for each test that needs a service of its own and has a foreign one. @returns true to skip it */
export function needsOwnService(what: string): boolean {
  if (REMOTE_URL !== undefined) console.warn(`SKIPPED against ${REMOTE_URL}: ${what} needs a service of its own`);
  return REMOTE_URL !== undefined;
}

/** The keys of the running test file. @throws Error when SHEAF_E2E_KEYS has none for it */
export function remoteKeys(): KeySet {
  const sets: KeySet[] = JSON.parse(process.env.SHEAF_E2E_KEYS ?? "[]");
  const set = sets[keySetOf(basename(expect.getState().testPath ?? ""))];
  if (set === undefined) throw new Error(`SHEAF_E2E_KEYS must be a JSON list of ${KEY_SETS} sets of keys`);
  return set;
}

/** @returns the recorded answer of a case for tests against a deployment; undefined otherwise */
export function recordedAnswer(name: string): Recorded | undefined {
  const emulated = process.env.SHEAF_E2E_EMULATOR_LOG !== undefined;
  return REMOTE_URL === undefined ? undefined : DIFFERENCES[name]?.[emulated ? "emulator" : "aws"];
}

export function expectRecorded({ status, headers, text }: Answer, recorded: Recorded): void {
  expect(status, text).toBe(recorded.status);
  expect(headers.has("x-request-id") ? "service" : "gateway", text).toBe(recorded.by);
  expect(text).toMatch(recorded.words);
}
