/** `sheaf admin`: commands on the data folder itself, without the service's API. */
import { join, resolve } from "node:path";
import { type Command, Option } from "commander";
import { type Io, type Perform, UsageError } from "../client/cli/io.ts";
import { backUp } from "../functions/adapters/local/admin/backup.ts";
import type { Dropped } from "../functions/adapters/local/admin/backup-key.ts";
import { eraseOrganization } from "../functions/adapters/local/admin/erase.ts";
import { exportOrganization } from "../functions/adapters/local/admin/export.ts";
import { KEY_FILE, openRecordsFile } from "../functions/adapters/local/admin/files.ts";
import { restore } from "../functions/adapters/local/admin/restore.ts";
import { type AdminOptions, dataDirOf, parseOrganization, reportOutcome } from "./admin-io.ts";
import { defineKeys } from "./admin-keys.ts";
import { defineLedger } from "./admin-ledger.ts";
import { defineQuotas } from "./admin-quotas.ts";
import { lockDataDir } from "./local/data-dir.ts";
import { VERSION } from "./local/version.ts";

interface EraseArguments extends AdminOptions {
  yes?: boolean;
}

interface BackupArguments extends AdminOptions {
  withoutKey?: boolean;
}

interface RestoreArguments extends AdminOptions {
  /** Path of a kept `server.key`. */
  key?: string;
  newKey?: boolean;
}

async function backupTo(io: Io, folder: string, options: BackupArguments): Promise<number> {
  return reportOutcome(io, async () => {
    const now = new Date().toISOString();
    const withoutKey = options.withoutKey === true;
    const dataDir = dataDirOf(io, options);
    const { files, bytes } = await backUp(dataDir, folder, { version: VERSION, now, withoutKey });
    const done = `Backed up ${files} files, ${bytes} bytes, to ${resolve(folder)}`;
    if (!withoutKey) return done;
    const key = join(dataDir, KEY_FILE);
    return `${done}\nThe backup is without ${KEY_FILE}. Keep a copy of ${key} elsewhere: a restore needs it (--key FILE). Without it the webhooks and the issued API keys cannot be restored.`;
  });
}

/** Sentences about the things that a restore under a new key has removed, and the next steps. */
function describeDropped({ webhooks, keys }: Dropped): string {
  const gone = [
    ...(webhooks.length > 0
      ? [`the webhooks of organizations ${webhooks.join(", ")} were removed: set them again by PUT /settings/webhook`]
      : []),
    ...(keys > 0 ? [`${keys} issued API keys were removed: issue new ones`] : []),
  ];
  return `It has a new ${KEY_FILE}; ${gone.length > 0 ? gone.join("; ") : "nothing depended on the old one"}.`;
}

async function restoreFrom(io: Io, folder: string, options: RestoreArguments): Promise<number> {
  return reportOutcome(io, async () => {
    const dataDir = dataDirOf(io, options);
    const { key: keyFile, newKey } = options;
    const { files, createdAt, dropped } = await restore(folder, dataDir, { keyFile, newKey });
    const done = `Restored ${files} files of ${createdAt} to ${dataDir}; each has the content that was written`;
    return dropped === undefined ? done : `${done}\n${describeDropped(dropped)}`;
  });
}

async function exportTo(io: Io, id: number, file: string, options: AdminOptions): Promise<number> {
  return reportOutcome(io, async () => {
    const { jobs, files, zips } = await exportOrganization(dataDirOf(io, options), id, file, Date.now());
    return `Exported ${jobs} jobs with ${files} files to ${zips.join(", ")}`;
  });
}

async function erase(io: Io, id: number, options: EraseArguments): Promise<number> {
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
  const admin = program
    .command("admin")
    .description("the data of this machine, and the keys, quotas and ledgers of organizations");
  const command = (text: string, description: string): Command =>
    admin
      .command(text)
      .description(description)
      .option("--data-dir <folder>", "the data folder (default: SHEAF_DATA_DIR, else .sheaf)");
  command("backup", "copy the data folder into a new folder, also while the service runs")
    .argument("<folder>", "where to")
    .option("--without-key", "leave server.key out; a restore then needs it from elsewhere")
    .action((folder: string, options: BackupArguments) => perform((io) => backupTo(io, folder, options)));
  command("restore", "make an empty data folder from a backup, checked file by file")
    .argument("<folder>", "the backup")
    .option("--key <file>", "the server.key of a backup that was made without it")
    .addOption(
      new Option("--new-key", "make a new server.key; removes webhooks and issued API keys").conflicts(["key"]),
    )
    .action((folder: string, options: RestoreArguments) => perform((io) => restoreFrom(io, folder, options)));
  command("export-org", "write all of an organization into a zip, also while the service runs")
    .argument("<organization>", "its number", parseOrganization)
    .argument("<file>", "the zip")
    .action((id: number, file: string, options: AdminOptions) => perform((io) => exportTo(io, id, file, options)));
  command("erase-org", "erase all of an organization for good; the service must be stopped")
    .argument("<organization>", "its number", parseOrganization)
    .option("--yes", "yes, erase it")
    .action((id: number, options: EraseArguments) => perform((io) => erase(io, id, options)));
  defineLedger(admin, perform);
  defineKeys(admin, perform);
  defineQuotas(admin, perform);
}
