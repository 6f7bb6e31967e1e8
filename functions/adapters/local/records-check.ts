/**
 * Checks the whole database of records for damage: SQLite's quick_check reads every page. A small database is checked
 * before the service is ready, a large one by a process beside the service.
 */
import { fork } from "node:child_process";
import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { isDamaged, translateFault } from "./records-faults.ts";

/** The largest database that delays a start: its check takes about as long as reading it, below half a second. */
export const MAX_CHECKED_AT_START_BYTES = 64 * 2 ** 20;

/** Exit code of the checking process for a damaged database. */
export const DAMAGED_EXIT_CODE = 3;

/** @returns false for a damaged database @throws MachineError for another fault of the machine */
export function isSound(file: string): boolean {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { readOnly: true });
    return database.prepare("PRAGMA quick_check(1)").get()?.quick_check === "ok";
  } catch (error) {
    const fault = translateFault(error);
    if (isDamaged(fault)) return false;
    throw fault;
  } finally {
    database?.close();
  }
}

export const bytesOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

export interface RecordsCheck {
  /** True: sound; false: damaged; undefined: the check was stopped or could not be made. */
  verdict: Promise<boolean | undefined>;
  stop(): void;
}

/** Checks a database in a process of its own, beside the service that has it open. */
export function checkApart(file: string): RecordsCheck {
  const { promise, resolve } = Promise.withResolvers<boolean | undefined>();
  const child = fork(fileURLToPath(new URL("./records-check-process.ts", import.meta.url)), [file], {
    execArgv: ["--disable-warning=ExperimentalWarning"],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  child.on("error", () => resolve(undefined));
  child.on("exit", (code) => resolve(code === 0 ? true : code === DAMAGED_EXIT_CODE ? false : undefined));
  child.unref();
  child.channel?.unref();
  return { verdict: promise, stop: () => child.kill("SIGKILL") };
}
