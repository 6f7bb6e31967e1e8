/** `sheaf admin`: commands on the data folder itself, without the service's API. */
import { resolve } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { EXIT_CODES, Interrupted, type Io, type Perform, UsageError } from "../client/cli/io.ts";
import { backUp } from "../functions/adapters/local/admin/backup.ts";
import { eraseOrganization } from "../functions/adapters/local/admin/erase.ts";
import { exportOrganization } from "../functions/adapters/local/admin/export.ts";
import { openRecordsFile } from "../functions/adapters/local/admin/files.ts";
import { restore } from "../functions/adapters/local/admin/restore.ts";
import { AppError } from "../functions/ports/errors.ts";
import { ConfigError } from "./local/config.ts";
import { lockDataDir } from "./local/data-dir.ts";
import { VERSION } from "./local/version.ts";

interface AdminOptions {
  dataDir?: string;
  yes?: boolean;
}

/** The folder that `npm start` uses in the same directory. */
const dataDirOf = (io: Io, { dataDir }: AdminOptions): string =>
  resolve(dataDir ?? (io.env.SHEAF_DATA_DIR?.trim() || ".sheaf"));

/** Prints the outcome or the error. @returns the exit code */
async function reportOutcome(io: Io, work: () => Promise<string> | string): Promise<number> {
  // All commands may be interrupted anywhere; a restart continues from the finished parts.
  const stop = (): void => process.exit(io.signal.reason instanceof Interrupted ? io.signal.reason.exitCode : 1);
  io.signal.addEventListener("abort", stop);
  try {
    io.stderr.write(`${await work()}\n`);
    return EXIT_CODES.success;
  } catch (error) {
    const known = error instanceof AppError || error instanceof ConfigError;
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (!known && !/^E[A-Z]+$/.test(code)) throw error;
    io.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`);
    return EXIT_CODES.failed;
  } finally {
    io.signal.removeEventListener("abort", stop);
  }
}

/** @throws InvalidArgumentError */
function parseOrganization(value: string): number {
  const id = /^\d{1,15}$/.test(value) ? Number(value) : 0;
  if (id < 1) throw new InvalidArgumentError("It is an organization's number, such as 1.");
  return id;
}

async function backupTo(io: Io, folder: string, options: AdminOptions): Promise<number> {
  return reportOutcome(io, async () => {
    const now = new Date().toISOString();
    const { files, bytes } = await backUp(dataDirOf(io, options), folder, { version: VERSION, now });
    return `Backed up ${files} files, ${bytes} bytes, to ${resolve(folder)}`;
  });
}

async function restoreFrom(io: Io, folder: string, options: AdminOptions): Promise<number> {
  return reportOutcome(io, async () => {
    const dataDir = dataDirOf(io, options);
    const { files, createdAt } = await restore(folder, dataDir);
    return `Restored ${files} files of ${createdAt} to ${dataDir}; each has the content that was written`;
  });
}

async function exportTo(io: Io, id: number, file: string, options: AdminOptions): Promise<number> {
  return reportOutcome(io, async () => {
    const { jobs, files, zips } = await exportOrganization(dataDirOf(io, options), id, file, Date.now());
    return `Exported ${jobs} jobs with ${files} files to ${zips.join(", ")}`;
  });
}

async function erase(io: Io, id: number, options: AdminOptions): Promise<number> {
  const dataDir = dataDirOf(io, options);
  if (options.yes !== true) {
    throw new UsageError(
      `This erases all jobs, files, keys and usage of organization ${id} in ${dataDir} for good; say so with --yes`,
    );
  }
  return reportOutcome(io, () => {
    // Does not create a missing data folder.
    openRecordsFile(dataDir).close();
    const unlock = lockDataDir(dataDir);
    try {
      const { records } = eraseOrganization(dataDir, id);
      return `Erased ${records} records and all files of organization ${id}; take its keys out of SHEAF_API_KEYS, and its data out of older backups`;
    } finally {
      unlock();
    }
  });
}

/** Adds the commands to the program. */
export function define(program: Command, perform: Perform): void {
  const admin = program.command("admin").description("back up, restore, export and erase the data of this machine");
  const command = (text: string, description: string): Command =>
    admin
      .command(text)
      .description(description)
      .option("--data-dir <folder>", "the data folder (default: SHEAF_DATA_DIR, else .sheaf)");
  command("backup", "copy the data folder into a new folder, also while the service runs")
    .argument("<folder>", "where to")
    .action((folder: string, options: AdminOptions) => perform((io) => backupTo(io, folder, options)));
  command("restore", "make an empty data folder from a backup, checked file by file")
    .argument("<folder>", "the backup")
    .action((folder: string, options: AdminOptions) => perform((io) => restoreFrom(io, folder, options)));
  command("export-org", "write all of an organization into a zip, also while the service runs")
    .argument("<organization>", "its number", parseOrganization)
    .argument("<file>", "the zip")
    .action((id: number, file: string, options: AdminOptions) => perform((io) => exportTo(io, id, file, options)));
  command("erase-org", "erase all of an organization for good; the service must be stopped")
    .argument("<organization>", "its number", parseOrganization)
    .option("--yes", "yes, erase it")
    .action((id: number, options: AdminOptions) => perform((io) => erase(io, id, options)));
}
