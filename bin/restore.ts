/**
 * `npm run restore -- --at TIME --to STACK`: restores a deployment's data of a moment to another deployment, and checks
 * that jobs and files agree. Also the drill for it.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import * as z from "zod";
import {
  type Keepers,
  openRestoreClients,
  restoreDeployment,
} from "../functions/adapters/aws/restore/restore-deployment.ts";
import { AppError } from "../functions/ports/errors.ts";
import { ConfigError } from "./api-keys.ts";

const USAGE = `npm run restore -- --at TIME --to STACK [--from STACK] [--outputs FILE] [--export FILE]

  --at TIME       the moment, such as 2026-11-20T10:00:00Z, within the deployment's recoveryDays
  --to STACK      the stack to restore to: deployed, and never used
  --from STACK    the stack to restore; default Sheaf
  --outputs FILE  the outputs of both stacks, by --outputs-file; default cdk.out/outputs.json
  --export FILE   the table's records of that moment, from an export; default: the table's own past
`;

const outputsShape = z.record(
  z.string(),
  z.looseObject({
    TableName: z.string(),
    BucketName: z.string(),
    ServerKeySecret: z.string(),
    ApiKeysSecret: z.string(),
    ModelSecret: z.string(),
  }),
);

interface Wish {
  at: Date;
  from: Keepers;
  to: Keepers;
  exportFile?: string;
}

/** @throws ConfigError for a stack that the file does not have */
function keepersOf(file: string, stack: string): Keepers {
  const outputs = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
  const parsed = outputsShape.safeParse({ [stack]: outputs[stack] });
  const found = parsed.success ? parsed.data[stack] : undefined;
  if (found === undefined) throw new ConfigError(`${file} has no outputs of the stack ${stack}; deploy it with them`);
  const { TableName, BucketName, ServerKeySecret, ApiKeysSecret, ModelSecret } = found;
  return { table: TableName, bucket: BucketName, secrets: [ServerKeySecret, ApiKeysSecret, ModelSecret] };
}

/** @throws ConfigError for arguments that cannot be used @throws TypeError for unknown ones */
export function parseWish(given: string[], now: number): Wish {
  const text = { type: "string" } as const;
  const options = { at: text, to: text, from: text, outputs: text, export: text };
  const { values } = parseArgs({ args: given, options });
  const { at: time, to, from = "Sheaf", outputs = "cdk.out/outputs.json", export: exportFile } = values;
  if (time === undefined || to === undefined) throw new ConfigError(`--at and --to are needed.\n\n${USAGE}`);
  const at = new Date(time);
  if (Number.isNaN(at.getTime()) || !/[Zz]|[+-]\d\d:\d\d$/.test(time) || at.getTime() > now) {
    throw new ConfigError(`--at ${time} is no moment in the past; write it like 2026-11-20T10:00:00Z`);
  }
  const wish = { at, from: keepersOf(outputs, from), to: keepersOf(outputs, to) };
  return exportFile === undefined ? wish : { ...wish, exportFile };
}

async function main(): Promise<number> {
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  try {
    const wish = parseWish(process.argv.slice(2), Date.now());
    const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
    const { jobs, missing, unowned } = await restoreDeployment({ ...wish, clients: openRestoreClients(), say, sleep });
    for (const file of missing) say(`missing: ${file}`);
    say(`${jobs} jobs restored; ${missing.length} of their files are missing; ${unowned} files belong to no job`);
    return missing.length === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof AppError || error instanceof ConfigError || error instanceof TypeError)) throw error;
    say(`error: ${error.message}`);
    return 1;
  }
}

if (import.meta.main) process.exitCode = await main();
