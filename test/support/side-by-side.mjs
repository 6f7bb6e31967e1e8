/**
 * Runs scripts of package.json at the same time: `node test/support/side-by-side.mjs lint typecheck`. What each writes
 * comes as a whole, when it has ended. Exits with 1 when one of them fails.
 */
import { spawn } from "node:child_process";

/** @returns the exit status */
function run(script) {
  const child = spawn("npm", ["run", "-s", script], { shell: process.platform === "win32" });
  const output = [];
  child.stdout.on("data", (chunk) => output.push(chunk));
  child.stderr.on("data", (chunk) => output.push(chunk));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status) => {
      process.stdout.write(Buffer.concat(output));
      resolve(status ?? 1);
    });
  });
}

const statuses = await Promise.all(process.argv.slice(2).map(run));
process.exitCode = statuses.every((status) => status === 0) ? 0 : 1;
