/** A local DynamoDB: the dynoxide binary of @dynoxide/linux-x64, which exists for linux-x64 only. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import {
  CreateTableCommand,
  DynamoDBClient,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
} from "@aws-sdk/client-dynamodb";
import { RECORDS_TABLE } from "../../functions/adapters/aws/table.ts";

const BINARY = fileURLToPath(new URL("../../node_modules/@dynoxide/linux-x64/dynoxide", import.meta.url));
const IS_ITS_PLATFORM = process.platform === "linux" && process.arch === "x64";

/** True when this machine can run it. On linux-x64 it must exist: these tests are never skipped there. */
export function hasDynoxide(): boolean {
  if (IS_ITS_PLATFORM && !existsSync(BINARY)) throw new Error("dynoxide is not installed: run npm ci");
  if (!IS_ITS_PLATFORM) {
    console.warn(
      `SKIPPED: the DynamoDB driver is tested on linux-x64 only, not on ${process.platform}-${process.arch}`,
    );
  }
  return IS_ITS_PLATFORM;
}

/** A port on which nobody listens at the moment. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("A port has a number");
  return address.port;
}

export interface Dynoxide {
  client: DynamoDBClient;
  /** Kills it with SIGKILL, waits until it is gone, and restarts it on the same file and port. */
  restart(): Promise<void>;
  /** Ends it and closes the client. */
  close(): Promise<void>;
}

/** Waits for the line that it prints when it listens: the port alone might be taken by another process in between. */
async function startOn(port: number, file: string): Promise<ChildProcess> {
  const child = spawn(BINARY, ["serve", "--port", String(port), "--db-path", file], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const listening = new Promise<boolean>((resolve) => {
    child.stderr?.on("data", (chunk) => String(chunk).includes("listening") && resolve(true));
    child.once("exit", () => resolve(false));
    setTimeout(resolve, 10_000, false).unref();
  });
  if (await listening) return child;
  await kill(child);
  throw new Error("dynoxide did not start");
}

async function startSomewhere(file: string): Promise<{ port: number; child: ChildProcess }> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    try {
      return { port, child: await startOn(port, file) };
    } catch (error) {
      if (attempt === 3) throw error;
    }
  }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}

/** @param file for its data; created when missing */
export async function startDynoxide(file: string): Promise<Dynoxide> {
  const started = await startSomewhere(file);
  const { port } = started;
  let { child } = started;
  const end = () => child.kill("SIGKILL");
  process.once("exit", end);
  const client = new DynamoDBClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: "eu-central-1",
    credentials: { accessKeyId: "nobody", secretAccessKey: "nothing" },
    maxAttempts: 1,
  });
  return {
    client,
    async restart() {
      await kill(child);
      child = await startOn(port, file);
    },
    async close() {
      client.destroy();
      await kill(child);
      process.off("exit", end);
    },
  };
}

/** Creates the table like the cloud app; keeps an existing one. */
export async function makeRecordsTable(client: DynamoDBClient, table: string): Promise<void> {
  const { partitionKey, sortKey, billingMode, timeToLiveAttribute } = RECORDS_TABLE;
  const create = new CreateTableCommand({
    TableName: table,
    BillingMode: billingMode,
    KeySchema: [
      { AttributeName: partitionKey.name, KeyType: "HASH" },
      { AttributeName: sortKey.name, KeyType: "RANGE" },
    ],
    AttributeDefinitions: [partitionKey, sortKey].map(({ name, type }) => ({
      AttributeName: name,
      AttributeType: type,
    })),
  });
  try {
    await client.send(create);
  } catch (error) {
    if (error instanceof ResourceInUseException) return;
    throw error;
  }
  await client.send(
    new UpdateTimeToLiveCommand({
      TableName: table,
      TimeToLiveSpecification: { AttributeName: timeToLiveAttribute, Enabled: true },
    }),
  );
}
