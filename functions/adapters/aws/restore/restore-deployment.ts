/**
 * Restores a deployment's data of a moment to another, unused deployment: secrets, files and records, in this order, so
 * that what the other deployment's sweep finds is complete. Nothing of the first deployment changes.
 */
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { S3Client } from "@aws-sdk/client-s3";
import { GetSecretValueCommand, PutSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { UnprocessableEntity } from "../../../ports/errors.ts";
import { type Agreement, compareJobs } from "./check-restored.ts";
import { copyFiles, listFiles } from "./restore-files.ts";
import { checkEmpty, copyItems, exportedItems, removeTable, restoreTable, scanItems } from "./restore-records.ts";

/** The stores of a deployment's data. */
export interface Keepers {
  table: string;
  bucket: string;
  /** ARNs of the server key, the API keys and the model, in this order. */
  secrets: readonly string[];
}

export interface RestoreClients {
  dynamo: DynamoDBClient;
  s3: S3Client;
  secrets: SecretsManagerClient;
}

export interface RestoreOptions {
  from: Keepers;
  to: Keepers;
  at: Date;
  /** A file of the table's records at that moment; absent: the table's past, by point-in-time recovery. */
  exportFile?: string;
  clients: RestoreClients;
  /** Receives a line for each part that is done. */
  say(line: string): void;
  sleep(milliseconds: number): Promise<void>;
}

export interface Restored extends Agreement {
  records: number;
  files: number;
}

/** Clients with the SDK's own retries, for an operator's machine. */
export const openRestoreClients = (): RestoreClients => ({
  dynamo: new DynamoDBClient({}),
  s3: new S3Client({ forcePathStyle: process.env.AWS_ENDPOINT_URL_S3 !== undefined }),
  secrets: new SecretsManagerClient({}),
});

async function copySecrets({ from, to, clients, say }: RestoreOptions): Promise<void> {
  for (const [index, source] of from.secrets.entries()) {
    const { SecretString } = await clients.secrets.send(new GetSecretValueCommand({ SecretId: source }));
    if (SecretString === undefined) throw new UnprocessableEntity(`The secret ${source} holds no text`);
    await clients.secrets.send(new PutSecretValueCommand({ SecretId: to.secrets[index], SecretString }));
  }
  if (from.secrets.length > 0) say(`${from.secrets.length} secrets copied`);
}

/** @returns the number of records */
async function copyRecords({ from, to, at, exportFile, clients, sleep, say }: RestoreOptions): Promise<number> {
  const { dynamo } = clients;
  if (exportFile !== undefined) return copyItems(dynamo, to.table, exportedItems(exportFile), sleep);
  const past = `${to.table.slice(0, 200)}-past-${at.getTime()}`;
  await restoreTable(dynamo, { source: from.table, target: past, at }, sleep);
  say(`The table of ${at.toISOString()} is there as ${past}`);
  const records = await copyItems(dynamo, to.table, scanItems(dynamo, past), sleep);
  await removeTable(dynamo, past);
  return records;
}

/**
 * @throws Conflict for a deployment that has been used, before anything is written; UnprocessableEntity for an unusable
 *   moment or export
 */
export async function restoreDeployment(options: RestoreOptions): Promise<Restored> {
  const { from, to, at, clients, say } = options;
  if (from.table === to.table || from.bucket === to.bucket) {
    throw new UnprocessableEntity("A deployment is restored to another one: deploy that first, as another stack");
  }
  await checkEmpty(clients.dynamo, to.table);
  await copySecrets(options);
  const files = await copyFiles(clients.s3, { from: from.bucket, to: to.bucket, at: at.getTime() });
  say(`${files} files of ${at.toISOString()} copied to ${to.bucket}`);
  const records = await copyRecords(options);
  say(`${records} records copied to ${to.table}`);
  const agreement = await compareJobs(scanItems(clients.dynamo, to.table), await listFiles(clients.s3, to.bucket));
  return { ...agreement, records, files };
}
