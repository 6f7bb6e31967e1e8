/** Tools that are Python packages: each set of them has a virtual environment, made once, under node_modules/.cache. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const CACHE = resolve(import.meta.dirname, "../../node_modules/.cache/sheaf");
const INSTALLING_MILLISECONDS = 300_000;

/** Why a tool is not here, in one line. */
export class Unavailable extends Error {}

async function run(command: string, ...parameters: string[]): Promise<void> {
  try {
    await promisify(execFile)(command, parameters, { timeout: INSTALLING_MILLISECONDS });
  } catch (error) {
    const said = error instanceof Error ? error.message.trim().split("\n").at(-1) : "";
    throw new Unavailable(`${command} ${parameters.slice(0, 3).join(" ")} … failed: ${said}`);
  }
}

/**
 * The Python of a virtual environment with these packages; the environment is made when it is not there.
 * @param name of the environment's folder
 * @param requirements as pip takes them
 * @throws Unavailable where there is no Python, or nothing to install the packages from
 */
export async function pythonWith(name: string, requirements: readonly string[]): Promise<string> {
  // Other versions are other environments: nothing is replaced under one that runs.
  const folder = join(CACHE, name);
  const home = join(folder, createHash("sha256").update(requirements.join("\n")).digest("hex").slice(0, 12));
  const python = join(home, "bin", "python");
  if (existsSync(python)) return python;
  mkdirSync(folder, { recursive: true });
  const start = performance.now();
  // Made under another name and renamed when it is complete: test files run beside each other.
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

/** As `pythonWith`; undefined, after a line on the console that says what is skipped and why, where it throws. */
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
