/** The cloud app, synthesized like by its users: with the command, in another process. */
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
  /** The whole output of the command. */
  said: string;
  remove(): void;
}

/** A command that runs another one without a network, when this machine allows it. */
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

/** `cdk synth` without a network, an account, or the user's settings. @throws Error with its output */
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
  /** The folder of its bundle. */
  folder: string;
  /** The names of its settings in the stack. */
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
