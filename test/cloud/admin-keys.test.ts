/** The operator's commands on a deployment: keys that its functions take and refuse, and a quota that all of them hold. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { form } from "../support/api.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { REMOTE_URL } from "../support/target.ts";

const { environment = {}, outputs = {} } = JSON.parse(process.env.SHEAF_E2E_AWS ?? "{}");
const run = promisify(execFile);
/** As many as the emulator serves at once on a busy machine; the contract suite of quotas has 50. */
const UPLOADS = 8;
const ROOT = join(import.meta.dirname, "../..");

describe.skipIf(REMOTE_URL === undefined)("sheaf admin, of a deployment", () => {
  let target: TestService;
  let folder: string;
  beforeAll(async () => {
    target = await startTestService();
    // The first request has the secret's keys recorded, and their organizations.
    expect((await target.api.get("/user/me")).status).toBe(200);
    folder = mkdtempSync(join(tmpdir(), "sheaf-outputs-"));
    writeFileSync(join(folder, "outputs.json"), JSON.stringify({ Sheaf: outputs }));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** @returns what the command prints */
  async function admin(...args: string[]): Promise<string> {
    const of = ["--stack", "Sheaf", "--outputs", join(folder, "outputs.json")];
    const node = ["--disable-warning=ExperimentalWarning", "bin/sheaf.ts", "admin", ...args, ...of];
    const { stdout } = await run(process.execPath, node, { cwd: ROOT, env: { ...process.env, ...environment } });
    return stdout;
  }
  const organization = () => String(target.keys.organizationId);
  const status = async (key: string) => (await target.api.call("GET", "/user/me", { key })).status;

  it("makes a key that works, and revokes it within a second", async () => {
    const made = await admin("create-key", organization(), "--name", "of the operator", "--scopes", "read");
    const { id, key } = JSON.parse(made);
    expect(await status(key)).toBe(200);
    expect(await admin("list-keys", organization())).toContain(id);
    await admin("revoke-key", id);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await status(key)).toBe(401);
    expect(await admin("audit", organization())).toContain('"path":"create-key"');
  });

  it("sets a quota that uploads at once never pass", async () => {
    const { documentsToday } = JSON.parse(await admin("quota", organization()));
    await admin("set-quota", organization(), "--documents", String(documentsToday + 3));
    const upload = async (_: unknown, index: number) =>
      (await target.api.post("/document/upload", { body: form(`Document ${index}.`) })).status;
    const answers = await Promise.all(Array.from({ length: UPLOADS }, upload));
    const count = (wanted: number) => answers.filter((one) => one === wanted).length;
    expect([count(201), count(403)], JSON.stringify(answers)).toEqual([3, UPLOADS - 3]);
    expect(JSON.parse(await admin("set-quota", organization(), "--documents", "none"))).toMatchObject({
      documentsPerDay: null,
      documentsToday: documentsToday + 3,
    });
  });
});
