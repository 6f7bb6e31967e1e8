import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/**
 * Runs a script of this folder and kills it with SIGKILL some time after its first line.
 * @param milliseconds after the first line
 * @returns the whole lines that it wrote
 */
export async function runAndKill(script: string, args: readonly string[], milliseconds: number): Promise<string[]> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", path, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    if (output === "") setTimeout(() => child.kill("SIGKILL"), milliseconds);
    output += text;
  });
  const signal = await new Promise((resolve) => child.on("close", (_, by) => resolve(by)));
  if (signal !== "SIGKILL") throw new Error(`${script} ended by itself: ${errors}`);
  // The text after the last line break is incomplete.
  return output.split("\n").slice(0, -1);
}
