/** Makes the compiled code of a bundled script, by running it once as far as it is ready. */
import { execFile } from "node:child_process";
import { copyFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { childEnvironment } from "../pool/spawn.ts";

/** Copied into a bundle: processes read it from there. */
const LAUNCHER = new URL("./launch-script.mjs", import.meta.url);

/** Bytes that the process may take; a process of documents has 768 MiB. */
const MEMORY_LIMIT_BYTES = 2 ** 30;
/** A start takes one to three seconds; a process that takes longer than this does not become ready. */
const MAX_MS = 30_000;

/**
 * Writes the launcher and the compiled code beside a bundled script `x.cjs`.
 * @param launcher path of `x.mjs` @returns false when the script does not become ready: it then has no compiled code
 */
export function compileScript(launcher: string): Promise<boolean> {
  copyFileSync(fileURLToPath(LAUNCHER), launcher);
  // Arguments as of any process of the pool (serve-tasks.ts), which ends with this one.
  const args = [launcher, "", String(process.pid), String(MEMORY_LIMIT_BYTES), "compile"];
  const env = childEnvironment();
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env, timeout: MAX_MS, killSignal: "SIGKILL" }, (error) =>
      resolve(error === null),
    );
  });
}
