/** Tools in Python packages: each set has a virtual environment, created once, under node_modules/.cache. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const CACHE = resolve(import.meta.dirname, "../../node_modules/.cache/sheaf");
const INSTALL_TIMEOUT_MS = 300_000;

/** The reason why a tool is not available, in one line. */
export class Unavailable extends Error {}

async function run(command: string, ...parameters: string[]): Promise<void> {
  try {
    await promisify(execFile)(command, parameters, { timeout: INSTALL_TIMEOUT_MS });
  } catch (error) {
    const said = error instanceof Error ? error.message.trim().split("\n").at(-1) : "";
    throw new Unavailable(`${command} ${parameters.slice(0, 3).join(" ")} … failed: ${said}`);
  }
}

/**
 * The Python of a virtual environment with these packages, which is created when missing.
 * @param name of the environment's folder
 * @param requirements as pip takes them
 * @throws Unavailable without Python, or without a source for the packages
 */
export async function pythonWith(name: string, requirements: readonly string[]): Promise<string> {
  // Other versions get another environment: a running one is never changed.
  const folder = join(CACHE, name);
  const home = join(folder, createHash("sha256").update(requirements.join("\n")).digest("hex").slice(0, 12));
  const python = join(home, "bin", "python");
  if (existsSync(python)) return python;
  mkdirSync(folder, { recursive: true });
  const start = performance.now();
  // Created under another name and renamed when complete: test files run concurrently.
  const making = mkdtempSync(join(folder, "making-"));
  try {
    await run("python3", "-m", "venv", making);
    await run(join(making, "bin", "python"), "-m", "pip", "install", "--quiet", ...requirements);
    renameSync(making, home);
    console.info(`Installed ${requirements[0]} in ${((performance.now() - start) / 1000).toFixed(1)} s`);
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    // Another test file may have been faster.
    if (!existsSync(python)) throw error;
  }
  return python;
}

/**
 * Like `pythonWith`; undefined, after a line on the console with the skipped tests and the reason, where that throws.
 */
export async function pythonIfAny(
  name: string,
  requirements: readonly string[],
  what: string,
): Promise<string | undefined> {
  try {
    return await pythonWith(name, requirements);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    console.warn(`SKIPPED: ${what} does not run here: ${error.message}`);
    return undefined;
  }
}
