/** The end-to-end tests again, with the service's records in a DynamoDB on this machine. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it, vi } from "vitest";
import { hasDynoxide } from "../support/dynoxide.ts";
import { startTestService } from "../support/service.ts";

/** They start the service as a program of its own, which keeps its records in its folder. */
const ANOTHER_PROCESS = ["docs", "eval", "start"];

const files = readdirSync(new URL("../e2e", import.meta.url))
  .flatMap((file) => (file.endsWith(".test.ts") ? [file.replace(".test.ts", "")] : []))
  .filter((name) => !ANOTHER_PROCESS.includes(name));

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

  describe.each(files)("%s", (name) => import(`../e2e/${name}.test.ts`).then(() => {}));
});
