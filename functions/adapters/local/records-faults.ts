/** Errors of SQLite as errors of the machine. */
import { errorCode, MachineError } from "../../ports/machine-faults.ts";

/** The lower byte of an extended result code is its primary code. Source: https://sqlite.org/rescode.html */
const PRIMARY_CODE = 0xff;

const BUSY = 5;
/** The memory that the readers of the log share lies in a file, which could not grow. */
const IOERR_SHMSIZE = 4874;

/** errno's names by primary code. A database that cannot open a file at work lacks a file handle. */
const CODES: Readonly<Record<number, string>> = {
  7: "ENOMEM",
  8: "EROFS",
  10: "EIO",
  11: "SQLITE_CORRUPT",
  13: "ENOSPC",
  14: "EMFILE",
  26: "SQLITE_CORRUPT",
};

/** SQLite's extended result code; undefined for any other error. */
const resultCode = (error: unknown): number | undefined =>
  error instanceof Error && "errcode" in error && typeof error.errcode === "number" ? error.errcode : undefined;

/** True for the error that another connection holds the database. */
export const isBusy = (error: unknown): boolean => ((resultCode(error) ?? 0) & PRIMARY_CODE) === BUSY;

/** True for the error of a file that is no sound database. */
export const isDamaged = (error: unknown): boolean => errorCode(error) === "SQLITE_CORRUPT";

/** A MachineError for an error of SQLite that the machine causes; any other error unchanged. */
export function translateFault(error: unknown): unknown {
  const code = resultCode(error);
  if (code === undefined) return error;
  const name = code === IOERR_SHMSIZE ? "ENOSPC" : CODES[code & PRIMARY_CODE];
  return name === undefined ? error : new MachineError(name, error);
}

/** Runs work on the database. @throws MachineError for a fault of the machine */
export function translatingFaults<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw translateFault(error);
  }
}
