/** The cloud app synthesized as its users do it: the command, in a process of its own. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { NODE_QUEUES } from "../../functions/ports/queue.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const BIN = join(ROOT, "node_modules/.bin");
const run = promisify(execFile);

export interface Synthesized {
  folder: string;
  /** All that the command said. */
  said: string;
  remove(): void;
}

/** A command before the command that takes the network away, where this machine lets us. */
async function withoutNetwork(): Promise<string[]> {
  const prefix = ["unshare", "--net", "--map-root-user"];
  try {
    await run(prefix[0] ?? "", [...prefix.slice(1), "true"]);
    return prefix;
  } catch {
    console.warn("NOT OFFLINE: this machine lets nobody take a process's network away; the synth ran with it");
    return [];
  }
}

/** `cdk synth` without a network, an account, or settings of whoever runs this. @throws Error with what it said */
export async function synthesize(): Promise<Synthesized> {
  const home = mkdtempSync(join(tmpdir(), "sheaf-synth-"));
  const folder = join(home, "cdk.out");
  const [command = "", ...rest] = [...(await withoutNetwork()), join(BIN, "cdk"), "synth", "-q", "--output", folder];
  const env = {
    PATH: [BIN, dirname(process.execPath), process.env.PATH].join(delimiter),
    HOME: home,
    NPM_CONFIG_USERCONFIG: join(home, ".npmrc"),
    AWS_EC2_METADATA_DISABLED: "true",
    CI: "true",
  };
  const { stdout, stderr } = await run(command, rest, { cwd: ROOT, env, timeout: 240_000 });
  return { folder, said: `${stdout}${stderr}`, remove: () => rmSync(home, { recursive: true, force: true }) };
}

export interface BuiltFunction {
  /** Such as `api-documents`. */
  entry: string;
  /** Where its bundle is. */
  folder: string;
  /** The names of the settings that the stack gives it. */
  settings: string[];
}

/** The functions of a synthesized stack, by the paths of their constructs. */
export function builtFunctions(folder: string, stack = "Sheaf"): BuiltFunction[] {
  const { Resources } = JSON.parse(readFileSync(join(folder, `${stack}.template.json`), "utf8")) as {
    Resources: Record<
      string,
      {
        Type: string;
        Metadata?: Record<string, string>;
        Properties: { Environment?: { Variables: Record<string, unknown> } };
      }
    >;
  };
  return Object.values(Resources)
    .filter(({ Type }) => Type === "AWS::Lambda::Function")
    .map(({ Metadata, Properties }) => {
      const [, , name = ""] = (Metadata?.["aws:cdk:path"] ?? "").split("/");
      const tiers = Object.fromEntries(Object.keys(NODE_QUEUES).map((tier) => [tier, "nodes"]));
      const renamed: Record<string, string> = { Sweep: "sweep", Status: "execution-status", ...tiers };
      return {
        entry: renamed[name] ?? name.replace(/^Step-/, "step-"),
        folder: join(folder, Metadata?.["aws:asset:path"] ?? ""),
        settings: Object.keys(Properties.Environment?.Variables ?? {}),
      };
    });
}
