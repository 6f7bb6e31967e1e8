/** A backup that is killed halfway leaves nothing that looks like a backup, or blocks a new one. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import * as admin from "../../bin/admin.ts";
import { sheaf } from "../client/cli/memory-io.ts";
import { startTestService } from "../support/service.ts";

const home = mkdtempSync(join(tmpdir(), "sheaf-admin-"));
const dataDir = join(home, "data");
const run = (...args: string[]) => sheaf(["admin", ...args], { env: { SHEAF_DATA_DIR: dataDir } }, [admin]);

it("a backup killed by kill -9 is not a backup, and can be repeated in the same folder", async () => {
  const first = await startTestService({ dataDir });
  const { api } = first;
  for (let index = 0; index < 20; index++) await api.upload(`Document ${index} ${"x".repeat(20_000)}`);
  const backup = join(home, "backup");
  const script = join(import.meta.dirname, "../../bin/sheaf.mjs");
  for (let count = 0, cut = 0; cut < 4 && count < 16; count++) {
    const child = spawn(process.execPath, [script, "admin", "backup", backup], {
      env: { ...process.env, SHEAF_DATA_DIR: dataDir },
      stdio: "ignore",
    });
    const exit = once(child, "exit");
    while (!existsSync(join(backup, "UNFINISHED")) && child.exitCode === null) {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await new Promise((resolve) => setTimeout(resolve, count * 5));
    child.kill("SIGKILL");
    await exit;
    if (existsSync(join(backup, "manifest.json"))) rmSync(backup, { recursive: true });
    else {
      cut += 1;
      const refused = await run("restore", backup, "--data-dir", join(home, "restored"));
      expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining("was not finished")]);
      expect(existsSync(join(home, "restored"))).toBe(false);
    }
  }
  expect((await run("backup", backup)).exitCode).toBe(0);
  expect((await run("backup", backup)).stderr).toMatch(/holds a backup already/);
  expect((await run("restore", backup, "--data-dir", join(home, "restored"))).exitCode).toBe(0);
  await first.close();
  const second = await startTestService({ dataDir: join(home, "restored") });
  expect((await second.api.get("/job/list")).json.totalSize).toBe(20);
  await second.close();
  rmSync(home, { recursive: true, force: true });
});
