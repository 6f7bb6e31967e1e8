/** The end-to-end tests again, with records in a local DynamoDB. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it, vi } from "vitest";
import { KEY_FINGERPRINT } from "../../functions/adapters/local/admin/files.ts";
import { hasDynoxide } from "../support/dynoxide.ts";
import { startTestService } from "../support/service.ts";

/** They start the service as its own program, which keeps its records in its folder. */
const FILES_WITH_OWN_PROCESS = ["docs", "eval", "start", "start-faults"];
/** They spoil this machine's files and clock, which the records of DynamoDB do not depend on. */
const FILES_ABOUT_THIS_MACHINE = ["faults"];

const files = readdirSync(new URL("../e2e", import.meta.url))
  .flatMap((file) => (file.endsWith(".test.ts") ? [file.replace(".test.ts", "")] : []))
  .filter((name) => ![...FILES_WITH_OWN_PROCESS, ...FILES_ABOUT_THIS_MACHINE].includes(name));

vi.stubEnv("SHEAF_TEST_RECORDS", "dynamodb");
afterAll(() => vi.unstubAllEnvs());

describe.skipIf(!hasDynoxide())("the service on DynamoDB", () => {
  it("keeps nothing in the file of the SQLite driver", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "sheaf-e2e-dynamodb-"));
    const target = await startTestService({ dataDir });
    await target.api.processed("Total: 12.00 EUR", {});
    await target.close();
    const database = new DatabaseSync(join(dataDir, "records.sqlite"), { readOnly: true });
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    expect(tables.length).toBeGreaterThan(0);
    for (const { name } of tables) {
      const rows = database.prepare(`SELECT * FROM "${name}"`).all();
      // The folder's own record, of the key that its data is sealed with, is made before any driver of records.
      const others = rows.filter(({ partition }) => partition !== KEY_FINGERPRINT.partition);
      expect(others, String(name)).toEqual([]);
    }
    database.close();
    rmSync(dataDir, { recursive: true });
  });

  describe.each(files)("on DynamoDB: %s", (name) => import(`../e2e/${name}.test.ts`).then(() => {}));
});
