/** `sheaf keys`, `sheaf settings view` and `sheaf audit`, and the client's calls, against a running service. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { sheaf } from "../client/cli/memory-io.ts";
import { startTestService, type TestService } from "../support/service.ts";

let target: TestService;
beforeAll(async () => {
  target = await startTestService();
});
afterAll(() => target.close());

const command = (...argv: string[]) =>
  sheaf(argv, { env: { SHEAF_API_URL: target.url, SHEAF_TOKEN: target.keys.one } });

it("sheaf keys makes, lists, rotates and revokes keys", async () => {
  const made = await command(
    "keys",
    "create",
    "--name",
    "nightly",
    "--scopes",
    "read,write",
    "--expires",
    "2999-01-01",
  );
  expect([made.exitCode, made.stderr]).toEqual([0, expect.stringContaining("shown this once")]);
  const { id, key } = JSON.parse(made.stdout);
  const me = await sheaf(["keys", "list"], { env: { SHEAF_API_URL: target.url, SHEAF_TOKEN: key } });
  expect([me.exitCode, me.stderr]).toEqual([1, expect.stringContaining("lacks the scope 'admin'")]);
  const rotated = JSON.parse((await command("keys", "create", "--replaces", id, "--overlap-hours", "1")).stdout);
  expect(rotated).toMatchObject({ name: "nightly", scopes: ["read", "write"], expiresAt: null });
  expect((await command("keys", "revoke", id)).stderr).toBe(`key ${id}: revoked\n`);
  const listed = JSON.parse((await command("keys", "list")).stdout).map((one: { id: string }) => one.id);
  expect([listed.includes(id), listed.includes(rotated.id)]).toEqual([false, true]);
  for (const wrong of [
    ["create", "--name", "x", "--scopes", "all"],
    ["create", "--replaces", id, "--overlap-hours", "1000"],
    ["revoke"],
  ])
    expect((await command("keys", ...wrong)).exitCode, wrong.join(" ")).toBe(2);
});

it("sheaf settings view prints the quotas, and sheaf audit all entries as JSON lines", async () => {
  const view = JSON.parse((await command("settings", "view")).stdout);
  expect(view).toMatchObject({ organizationId: target.keys.organizationId, quotas: { documentsPerDay: null } });
  const { stdout } = await command("audit", "--from", "2020-01-01T00:00:00Z");
  const entries = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(entries.map(({ method, path }) => `${method} ${path}`)).toContain("POST /keys");
  expect(stdout).not.toContain("sheaf_");
  expect((await command("audit", "--from", "never")).exitCode).toBe(1);
});
