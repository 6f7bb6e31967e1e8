/**
 * Records and server key for commands that work beside a running service: on one machine with the rights on its data
 * folder, of a deployment with the rights of the caller's AWS credentials.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import type { Io } from "../client/cli/io.ts";
import { KEY_FILE, openRecordsFile, RECORDS_FILE } from "../functions/adapters/local/admin/files.ts";
import { systemClock } from "../functions/adapters/local/clock.ts";
import { openRecords } from "../functions/adapters/local/records.ts";
import type { Records } from "../functions/ports/records.ts";
import { type AdminOptions, dataDirOf } from "./admin-io.ts";
import { ConfigError } from "./api-keys.ts";

export interface RecordsOptions extends AdminOptions {
  /** A deployment instead of the data folder. */
  stack?: string;
  outputs?: string;
}

/** Milliseconds that a write waits for the service's. */
const BUSY_TIMEOUT_MS = 10_000;
const DEFAULT_OUTPUTS = "cdk.out/outputs.json";

/** Adds a command with the options of records. */
export const recordsCommand = (admin: Command, text: string, description: string): Command =>
  admin
    .command(text)
    .description(description)
    .option("--data-dir <folder>", "the data folder (default: SHEAF_DATA_DIR, else .sheaf)")
    .option("--stack <name>", "a deployment instead, with your AWS credentials")
    .option("--outputs <file>", `its outputs (default: ${DEFAULT_OUTPUTS})`);

/** An output of a deployed stack. @throws ConfigError for a stack that the file does not have */
function outputOf(stack: string, file: string, output: "TableName" | "ServerKeySecret"): string {
  let outputs: Record<string, Record<string, unknown> | undefined>;
  try {
    outputs = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    throw new ConfigError(`${file} is not the file of a deployment's outputs; deploy with --outputs-file ${file}`);
  }
  const name = outputs[stack]?.[output];
  if (typeof name === "string") return name;
  throw new ConfigError(`${file} has no outputs of the stack ${stack}; name a deployed stack by --stack`);
}

/** Works with the records of the data folder, or of a deployment. */
export async function withRecords<T>(
  io: Io,
  options: RecordsOptions,
  work: (records: Records) => Promise<T>,
): Promise<T> {
  const clock = systemClock();
  if (options.stack !== undefined) {
    const table = outputOf(options.stack, options.outputs ?? DEFAULT_OUTPUTS, "TableName");
    const [{ openDynamoRecords }, { dynamoClient }] = await Promise.all([
      import("../functions/adapters/aws/records.ts"),
      import("../functions/adapters/aws/clients.ts"),
    ]);
    const client = dynamoClient();
    try {
      return await work(openDynamoRecords({ client, table, clock }));
    } finally {
      client.destroy();
    }
  }
  const dataDir = dataDirOf(io, options);
  // Does not create a missing data folder.
  openRecordsFile(dataDir).close();
  const records = openRecords(join(dataDir, RECORDS_FILE), { clock, busyTimeout: BUSY_TIMEOUT_MS });
  try {
    return await work(records);
  } finally {
    records.close();
  }
}

/** The key that API keys are hashed under. @throws ConfigError */
export async function serverKeyOf(io: Io, options: RecordsOptions): Promise<Uint8Array> {
  if (options.stack !== undefined) {
    const id = outputOf(options.stack, options.outputs ?? DEFAULT_OUTPUTS, "ServerKeySecret");
    const [{ openSecrets }, { secretsClient }] = await Promise.all([
      import("../functions/adapters/aws/secrets.ts"),
      import("../functions/adapters/aws/clients.ts"),
    ]);
    const client = secretsClient();
    try {
      return Buffer.from(await openSecrets({ client, clock: systemClock() }).text(id), "utf8");
    } finally {
      client.destroy();
    }
  }
  const file = join(dataDirOf(io, options), KEY_FILE);
  if (existsSync(file)) return readFileSync(file);
  throw new ConfigError(`There is no ${KEY_FILE} in ${dataDirOf(io, options)}; start the service once, which makes it`);
}
