/** The service as a process of its own, as `npm start` runs it: for tests that look at the process. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

export interface ServiceProcess {
  url: string;
  pid: number;
  /** Kills it, and removes its data. */
  stop(): void;
}

/** @param env settings besides the port and the data folder @throws when it ends before it is ready */
export async function startServiceProcess(env: Record<string, string>): Promise<ServiceProcess> {
  const dataDir = mkdtempSync(join(tmpdir(), "sheaf-process-"));
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "bin/local.ts"], {
    cwd: join(import.meta.dirname, "../.."),
    env: { PATH: process.env.PATH ?? "", PORT: "0", SHEAF_DATA_DIR: dataDir, SHEAF_LOG: "error", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const stop = (): void => {
    child.once("close", () => rmSync(dataDir, { recursive: true, force: true }));
    child.kill("SIGKILL");
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (url !== undefined && child.pid !== undefined) return { url, pid: child.pid, stop };
  }
  stop();
  throw new Error("The service ended before it was ready");
}
