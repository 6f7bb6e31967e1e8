/** The CDK's command line, used as the README says, against the emulator. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");
const CDK_COMMAND = resolve(ROOT, "node_modules/aws-cdk/bin/cdk");
const COMMAND_TIMEOUT_MS = 240_000;

const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) killGroup(child);
});

/** Kills the process group: the command line starts the app as another process. */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // Already ended.
  }
}

/** Ends all running commands. */
export function stopCdk(): void {
  for (const child of running) killGroup(child);
}

/** @throws Error with the output when the command fails or takes too long */
export async function cdk(environment: Record<string, string>, ...parameters: string[]): Promise<void> {
  const child = spawn(process.execPath, [CDK_COMMAND, ...parameters], {
    cwd: ROOT,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      CI: "true",
      CDK_DISABLE_CLI_TELEMETRY: "true",
      ...environment,
    },
  });
  running.add(child);
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      printed += chunk;
    });
  }
  const timer = setTimeout(() => killGroup(child), COMMAND_TIMEOUT_MS);
  const [code, signal] = await once(child, "close");
  clearTimeout(timer);
  running.delete(child);
  if (code !== 0) throw new Error(`cdk ${parameters[0]} ended with ${code ?? signal}:\n${printed.slice(-20_000)}`);
}
