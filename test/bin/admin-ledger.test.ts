/** `sheaf admin grant|balance|entries|reconcile`, beside a running service and without one. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as admin from "../../bin/admin.ts";
import { RECORDS_FILE } from "../../functions/adapters/local/admin/files.ts";
import { openRecords } from "../../functions/adapters/local/records.ts";
import { recordOrganizations } from "../../functions/service/organizations/known-organizations.ts";
import { systemRecords } from "../../functions/service/organizations/organization-records.ts";
import { sheaf } from "../client/cli/memory-io.ts";

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "sheaf-ledger-"));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const run = (...args: string[]) => sheaf(["admin", ...args], { env: { SHEAF_DATA_DIR: dataDir } }, [admin]);
const openData = () => openRecords(join(dataDir, RECORDS_FILE), { clock: { now: () => Date.now() } });

/** Makes the records of a service with organization 1. */
async function makeData(): Promise<void> {
  const records = openData();
  await recordOrganizations(systemRecords(records), [1]);
  records.close();
}

describe("sheaf admin grant", () => {
  it("credits tokens once for each key, while others have the data open", async () => {
    await makeData();
    const service = openData();
    const granted = await run("grant", "1", "5000", "--key", "order-7", "--reason", "A pack");
    expect(granted).toMatchObject({ exitCode: 0, stderr: "Granted 5000 tokens\n" });
    expect(JSON.parse(granted.stdout)).toEqual({ organizationId: 1, balance: 5000, held: 0, available: 5000 });
    const again = await run("grant", "1", "5000", "--key", "order-7");
    expect(again).toMatchObject({ exitCode: 0, stderr: "This key was granted before: nothing changed\n" });
    const other = await run("grant", "1", "4000", "--key", "order-7");
    expect(other).toMatchObject({ exitCode: 1, stdout: "" });
    expect(other.stderr).toContain("choose another key");
    expect(JSON.parse((await run("balance", "1")).stdout).balance).toBe(5000);
    service.close();
  });

  it("refuses what is no organization, no number of tokens and no key", async () => {
    await makeData();
    for (const args of [
      ["0", "5", "--key", "a"],
      ["1", "0", "--key", "a"],
      ["1", "1.5", "--key", "a"],
      ["1", "5"],
      ["1", "5", "--key", ""],
    ])
      expect((await run("grant", ...args)).exitCode).toBe(2);
  });

  it("makes no data where there is none", async () => {
    expect(await run("grant", "1", "5", "--key", "a")).toMatchObject({
      exitCode: 1,
      stderr: `error: There is no data of a Sheaf service in ${dataDir}; set SHEAF_DATA_DIR\n`,
    });
  });

  it("asks for a deployment's outputs", async () => {
    const file = join(dataDir, "outputs.json");
    writeFileSync(file, '{"Other":{}}');
    const of = (outputs: string) => run("balance", "1", "--stack", "Sheaf", "--outputs", outputs);
    expect((await of(file)).stderr).toContain("has no outputs of the stack Sheaf");
    expect((await of(join(dataDir, "none.json"))).stderr).toContain("is not the file of a deployment's outputs");
  });
});

describe("sheaf admin entries", () => {
  it("prints JSON lines or CSV, oldest first", async () => {
    await makeData();
    await run("grant", "1", "10", "--key", "a", "--reason", "=SUM(A1)");
    await run("grant", "1", "20", "--key", "b");
    const lines = (await run("entries", "1")).stdout.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { id: "1", kind: "grant", amount: 10, balance: 10, reason: "=SUM(A1)", key: "grant/a" },
      { id: "2", kind: "grant", amount: 20, balance: 30, reason: "Granted by the operator", key: "grant/b" },
    ]);
    const csv = (await run("entries", "1", "--csv")).stdout.split("\r\n");
    expect(csv[0]).toBe("id,at,kind,amount,balance,held,tokens,jobGuid,run,reason");
    expect(csv[1]).toMatch(/^1,\S+,grant,10,10,0,0,,,"?'=SUM\(A1\)"?$/);
    expect(csv).toHaveLength(4);
  });
});

describe("sheaf admin reconcile", () => {
  it("exits with 1 and names the drift of a ledger", async () => {
    await makeData();
    await run("grant", "1", "10", "--key", "a");
    const sound = await run("reconcile");
    expect(sound).toMatchObject({ exitCode: 0, stderr: "" });
    expect(JSON.parse(sound.stdout)).toEqual({ organizationId: 1, entries: 1, balance: 10, held: 0, drift: 0 });
    const records = openData();
    await records.add({ partition: "org/1/ledger", sort: "account" }, { balance: 5 });
    records.close();
    const drifted = await run("reconcile");
    expect(drifted.exitCode).toBe(1);
    expect(drifted.stderr).toBe("organization 1: the balance is stored as 15, and its entries give 10\n");
    expect(JSON.parse(drifted.stdout)).toMatchObject({ drift: 1 });
  });
});
