/** The end-to-end tests again, with the service's records in a DynamoDB on this machine. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it, vi } from "vitest";
import { hasDynoxide } from "../support/dynoxide.ts";
import { startTestService } from "../support/service.ts";

vi.stubEnv("SHEAF_TEST_RECORDS", "dynamodb");
afterAll(() => vi.unstubAllEnvs());

describe.skipIf(!hasDynoxide())("on DynamoDB", () => {
  it("keeps nothing in the other driver's file", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "sheaf-e2e-dynamodb-"));
    const target = await startTestService({ dataDir });
    await target.api.processed("Total: 12.00 EUR", {});
    await target.close();
    const database = new DatabaseSync(join(dataDir, "records.sqlite"), { readOnly: true });
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    expect(tables.length).toBeGreaterThan(0);
    for (const { name } of tables) expect(database.prepare(`SELECT * FROM "${name}"`).all(), String(name)).toEqual([]);
    database.close();
    rmSync(dataDir, { recursive: true });
  });

  describe("first light", () => import("../e2e/first-light.test.ts").then(() => {}));
  describe("idempotency", () => import("../e2e/idempotency.test.ts").then(() => {}));
  describe("upload-url", () => import("../e2e/upload-url.test.ts").then(() => {}));
  describe("batches", () => import("../e2e/batches.test.ts").then(() => {}));
  describe("organizations", () => import("../e2e/organizations.test.ts").then(() => {}));
  describe("configurations", () => import("../e2e/configurations.test.ts").then(() => {}));
});
