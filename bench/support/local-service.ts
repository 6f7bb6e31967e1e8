/** The service of this machine as a process of its own, on any free port. */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";

/**
 * Starts the service and waits until it serves.
 * @param keys in the form of SHEAF_API_KEYS @throws Error when it ends before
 */
export async function startLocalService(dataDir: string, keys: string): Promise<{ child: ChildProcess; url: string }> {
  const env = { ...process.env, PORT: "0", SHEAF_DATA_DIR: dataDir, SHEAF_API_KEYS: keys, SHEAF_LOG: "error" };
  const args = ["--disable-warning=ExperimentalWarning", join(import.meta.dirname, "../../bin/local.ts")];
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (url === undefined) continue;
    child.stdout.resume();
    return { child, url };
  }
  throw new Error("The service ended before it was ready");
}
