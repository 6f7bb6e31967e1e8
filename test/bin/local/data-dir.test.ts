/** A data folder that cannot be made or used is told in one sentence, and never hangs the start. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as admin from "../../../bin/admin.ts";
import { ConfigError, parseConfig } from "../../../bin/local/config.ts";
import { openDataDir } from "../../../bin/local/data-dir.ts";
import { startService } from "../../../bin/local/service.ts";
import { systemClock } from "../../../functions/adapters/local/clock.ts";
import { openRecords } from "../../../functions/adapters/local/records.ts";
import { sheaf } from "../../client/cli/memory-io.ts";

const ROOT = resolve(import.meta.dirname, "../../..");
let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "sheaf-data-dir-"));
  writeFileSync(join(home, "file"), "");
  symlinkSync(join(home, "nowhere"), join(home, "link"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe("openDataDir", () => {
  it.each([
    ["file", "a file of that name is there"],
    ["file/below/it", "a part of its path is a file"],
    ["link", "a file of that name is there"],
    ["n".repeat(300), "its name is too long"],
  ])("refuses %s with the reason", (name, reason) => {
    const path = join(home, name);
    const sentence = `The data folder ${path} cannot be made: ${reason}; set SHEAF_DATA_DIR to a folder that can`;
    expect(() => openDataDir(path)).toThrow(new ConfigError(sentence));
  });

  it.skipIf(!existsSync("/proc/self"))("ends where the system answers ENOENT for a new name", () => {
    expect(() => openDataDir("/proc/sheaf/data")).toThrow(/^The data folder \/proc\/sheaf\/data cannot be made: /);
  });

  it("makes missing folders, readable by their owner only", () => {
    const path = join(home, "new/er");
    openDataDir(path)();
    expect([path, dirname(path)].map((one) => statSync(one).mode & 0o777)).toEqual([0o700, 0o700]);
  });
});

describe("a start", () => {
  it.each(["lock.sqlite", "records.sqlite", "server.key"])("refuses a folder named %s", async (name) => {
    mkdirSync(join(home, "data", name), { recursive: true });
    const config = parseConfig({ PORT: "0", SHEAF_DATA_DIR: join(home, "data"), SHEAF_LOG: "error" });
    await expect(startService({ config, log: process.stderr })).rejects.toThrow(
      new RegExp(`^The data folder .*data cannot be used: .*${name}.* is a file where a folder belongs, or `),
    );
  });

  it("refuses a file named blobs", async () => {
    mkdirSync(join(home, "data"));
    writeFileSync(join(home, "data/blobs"), "");
    const config = parseConfig({ PORT: "0", SHEAF_DATA_DIR: join(home, "data"), SHEAF_LOG: "error" });
    await expect(startService({ config, log: process.stderr })).rejects.toBeInstanceOf(ConfigError);
  });
});

it("sheaf admin names a folder that cannot be made, with the reason", async () => {
  const dataDir = join(home, "data");
  openRecords(join(dataDir, "records.sqlite"), { clock: systemClock() }).close();
  writeFileSync(join(dataDir, "server.key"), Buffer.alloc(32));
  const target = join(home, "file/backup");
  const { exitCode, stderr } = await sheaf(["admin", "backup", target, "--data-dir", dataDir], {}, [admin]);
  expect([exitCode, stderr]).toEqual([1, `error: ${target} cannot be used: a part of its path is a file\n`]);
});

it("The demo says that its temporary folder cannot be made", () => {
  const env = { PATH: process.env.PATH ?? "", TMPDIR: join(home, "file") };
  const { status, stderr } = spawnSync(process.execPath, ["bin/demo.ts"], { cwd: ROOT, env, encoding: "utf8" });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^\nThe demo did not work: .*sheaf-demo-.* cannot be used: a part of its path is a file\n$/);
});
