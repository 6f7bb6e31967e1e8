/** Shared by the commands of `sheaf admin`: the data folder, and how an end is told. */
import { resolve } from "node:path";
import { InvalidArgumentError } from "commander";
import { fileSentence } from "../client/cli/file-reasons.ts";
import { EXIT_CODES, Interrupted, type Io } from "../client/cli/io.ts";
import { AppError } from "../functions/ports/errors.ts";
import { ConfigError } from "./api-keys.ts";

export interface AdminOptions {
  dataDir?: string;
}

/** The folder that `npm start` uses in the same directory. */
export const dataDirOf = (io: Io, { dataDir }: AdminOptions): string =>
  resolve(dataDir ?? (io.env.SHEAF_DATA_DIR?.trim() || ".sheaf"));

/** Prints the outcome or the error. @param work gives a sentence, or the exit code of what it has told itself */
export async function reportOutcome(io: Io, work: () => Promise<string | number> | string | number): Promise<number> {
  // All commands may be interrupted anywhere; a restart continues from the finished parts.
  const stop = (): void => process.exit(io.signal.reason instanceof Interrupted ? io.signal.reason.exitCode : 1);
  io.signal.addEventListener("abort", stop);
  try {
    const outcome = await work();
    if (typeof outcome === "number") return outcome;
    io.stderr.write(`${outcome}\n`);
    return EXIT_CODES.success;
  } catch (error) {
    const known = error instanceof AppError || error instanceof ConfigError;
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (!known && !/^E[A-Z]+$/.test(code)) throw error;
    const sentence = known ? error.message : fileSentence(error);
    io.stderr.write(`error: ${sentence ?? (error instanceof Error ? error.message : String(error))}\n`);
    return EXIT_CODES.failed;
  } finally {
    io.signal.removeEventListener("abort", stop);
  }
}

/** @throws InvalidArgumentError */
export function parseOrganization(value: string): number {
  const id = /^\d{1,15}$/.test(value) ? Number(value) : 0;
  if (id < 1) throw new InvalidArgumentError("It is an organization's number, such as 1.");
  return id;
}
