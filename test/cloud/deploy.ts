/**
 * Deploys the real app of bin/cloud.ts to the emulator on this machine: with TLS, which the bootstrap's bucket demands,
 * and with the rights of every function enforced.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ListSecretsCommand, PutSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { type KeySet, namedKeys } from "../support/keys.ts";
import { type Ministack, startMinistack } from "../support/ministack.ts";
import { cdk, stopCdk } from "./cdk.ts";
import { makeCertificate } from "./certificate.ts";
import { startFront } from "./front.ts";
import { makeKeys } from "./keys.ts";
import { connectTextract } from "./textract.ts";

const ACCOUNT = "000000000000";
/** A test file sends more requests and starts more runs at once than an organization may; other tests cover the limits. */
const RATES = ["--context", "rateLimit=6000:10000", "--context", "SHEAF_START_RATE=6000:100"];
/** Scales the machines' waits: on this machine their ends come sooner than from a real service. */
const WAIT_SCALE = 0.25;

export interface Deployment {
  /** The API's URL, reachable from this machine. */
  url: string;
  keys: KeySet[];
  /** Duration of each part in seconds. */
  took: Record<string, number>;
  emulator: Ministack;
  /** The stack's outputs by name. */
  outputs: Record<string, string>;
  /** Ends all processes and removes all files. */
  close(): Promise<void>;
}

/** The outputs of all stacks. */
function outputsOf(file: string): Record<string, string> {
  const stacks: Record<string, Record<string, string>> = JSON.parse(readFileSync(file, "utf8"));
  return Object.assign({}, ...Object.values(stacks));
}

/** The API's own host name, from its URL in the outputs. */
function hostOf(outputs: Record<string, string>, emulator: string): string {
  const addresses = Object.values(outputs).map((value) => /^https?:\/\/([a-z0-9]+)\.execute-api\./.exec(value)?.[1]);
  const id = addresses.find(Boolean);
  if (id === undefined) throw new Error(`No API's URL is among the outputs ${Object.keys(outputs).join(", ")}`);
  return `${id}.execute-api.localhost:${new URL(emulator).port}`;
}

/** Writes the keys as an operator does. */
async function setKeys(emulator: Ministack, keys: KeySet[]): Promise<void> {
  const client = new SecretsManagerClient({ ...emulator.clientOptions });
  const { SecretList = [] } = await client.send(new ListSecretsCommand({}));
  const secret = SecretList.find(({ Name, Description }) => /api.?keys/i.test(`${Name} ${Description}`));
  if (secret === undefined) throw new Error("The stack has no secret of the API keys");
  await client.send(new PutSecretValueCommand({ SecretId: secret.ARN, SecretString: namedKeys(keys) }));
  client.destroy();
}

/**
 * @param keySets the number of key sets that the API knows
 * @returns undefined, after a line with the reason, when the emulator cannot run
 */
export async function deploy(keySets: number): Promise<Deployment | undefined> {
  const directory = mkdtempSync(join(tmpdir(), "sheaf-cloud-"));
  const closing: (() => Promise<void> | void)[] = [];
  const remove = (): void => rmSync(directory, { recursive: true, force: true });
  // Also when the process is told to end halfway; the emulator ends with it.
  process.once("exit", remove);
  const close = async (): Promise<void> => {
    stopCdk();
    for (const end of closing.splice(0).reverse()) await end();
    remove();
    process.off("exit", remove);
  };
  const took: Record<string, number> = {};
  const timed = async <T>(part: string, work: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    const done = await work();
    took[part] = Math.round((performance.now() - start) / 100) / 10;
    return done;
  };
  try {
    const tls = await makeCertificate(directory);
    const emulator = await timed("start", () => startMinistack({ enforceAuth: true, tls, waitScale: WAIT_SCALE }));
    if (emulator === undefined) return await close().then(() => undefined);
    closing.push(() => emulator.close());
    const app = join(directory, "cdk.out");
    const account = emulator.environment;
    // Bundling keeps the processors busy; the bootstrap mostly waits.
    await Promise.all([
      timed("synth", () => cdk({}, "synth", "--quiet", ...RATES, "--output", app)),
      timed("bootstrap", () => cdk(account, "bootstrap", `aws://${ACCOUNT}/us-east-1`)),
    ]);
    const outputsFile = join(directory, "outputs.json");
    const written = ["--require-approval", "never", "--outputs-file", outputsFile];
    await timed("deploy", () => cdk(account, "deploy", "--app", app, "--all", ...written));
    const outputs = outputsOf(outputsFile);
    const keys = makeKeys(keySets);
    await timed("settings", async () => {
      await setKeys(emulator, keys);
      closing.push(await connectTextract(emulator));
    });
    const front = await startFront(emulator.url, hostOf(outputs, emulator.url));
    closing.push(() => front.close());
    return { url: front.url, keys, took, emulator, outputs, close };
  } catch (error) {
    await close();
    throw error;
  }
}
