/** A fresh copy without development packages starts, draws the demo and answers. Needs a registry, or npm's cache. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const copy = mkdtempSync(join(tmpdir(), "sheaf-production-"));

/** Only what a release has: no node_modules, no Node of the project on the path. */
function copySources(): void {
  const paths = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: ROOT });
  for (const path of paths.toString().split("\0")) {
    if (path === "" || path.startsWith("test/") || !existsSync(join(ROOT, path))) continue;
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(ROOT, path), join(copy, path));
  }
}

const environment = {
  ...process.env,
  PATH: (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => !folder.startsWith(ROOT))
    .join(delimiter),
  SHEAF_DATA_DIR: join(copy, "data"),
  PORT: "0",
};
const npm = (...args: string[]) =>
  spawnSync("npm", args, { cwd: copy, env: environment, encoding: "utf8", timeout: 240_000 });

copySources();
const installed = npm("ci", "--omit=dev", "--prefer-offline", "--no-audit");
const isOffline =
  installed.status !== 0 && /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENOTCACHED/.test(installed.stderr);
if (isOffline) console.warn("SKIPPED: an install without development packages; no registry answered");

describe.skipIf(isOffline)("npm ci --omit=dev", () => {
  beforeAll(() => {
    expect(installed.status, installed.stderr).toBe(0);
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  it("installs nothing that only tests and deployments need", () => {
    for (const name of ["vitest", "typescript", "aws-cdk-lib", "@dynoxide/linux-x64"]) {
      expect(existsSync(join(copy, "node_modules", name)), name).toBe(false);
    }
  });

  it("is enough for npm start", async () => {
    const service = spawn("npm", ["start"], {
      cwd: copy,
      env: environment,
      stdio: ["ignore", "pipe", "inherit"],
      detached: true,
    });
    try {
      let url: string | undefined;
      for await (const line of createInterface({ input: service.stdout })) {
        url = /ready at (http:\S+)/.exec(line)?.[1];
        if (url !== undefined) break;
      }
      expect((await fetch(`${url}/health`)).status).toBe(200);
      expect(readdirSync(join(copy, "node_modules/.cache/sheaf-code"))).toHaveLength(1);
    } finally {
      process.kill(-(service.pid ?? 0), "SIGINT");
      await once(service, "exit");
    }
  });

  it("is enough for npm run demo, and for the command line", () => {
    const demo = npm("run", "demo");
    expect(demo.status, demo.stderr).toBe(0);
    expect(demo.stdout).toContain("517.2");
    const help = spawnSync(process.execPath, ["bin/sheaf.mjs", "--help"], {
      cwd: copy,
      env: environment,
      encoding: "utf8",
    });
    expect([help.status, help.stdout]).toEqual([0, expect.stringContaining("admin")]);
  });
});
