import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openRecords } from "../../../../functions/adapters/local/records.ts";
import { checkApart, isSound } from "../../../../functions/adapters/local/records-check.ts";
import { manualClock } from "../../../support/clock.ts";

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "sheaf-check-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

let made = 0;
/** A database of about 50 pages. @param damage overwrites some of its bytes */
async function makeDatabase(damage?: (bytes: Buffer) => void): Promise<string> {
  made += 1;
  const file = join(directory, `records-${made}.sqlite`);
  const records = openRecords(file, { clock: manualClock() });
  for (let index = 0; index < 50; index += 1) {
    await records.put({ partition: "p", sort: String(index) }, { v: 1, text: "x".repeat(3_000) });
  }
  records.close();
  const bytes = readFileSync(file);
  damage?.(bytes);
  writeFileSync(file, bytes);
  return file;
}

describe.each([
  ["in this process", async (file: string) => isSound(file)],
  ["in a process of its own", async (file: string) => checkApart(file).verdict],
])("the check of the records %s", (_where, check) => {
  it("passes a sound database", async () => {
    expect(await check(await makeDatabase())).toBe(true);
  });

  it("finds a damaged page, and a damaged header", async () => {
    expect(await check(await makeDatabase((bytes) => bytes.fill(0xa5, 20 * 4096, 24 * 4096)))).toBe(false);
    expect(await check(await makeDatabase((bytes) => bytes.fill(0xa5, 0, 100)))).toBe(false);
  });
});

describe("checkApart", () => {
  it("has no verdict when it is stopped", async () => {
    const check = checkApart(await makeDatabase());
    check.stop();
    expect(await check.verdict).toBeUndefined();
  });
});
