/** A generated workbook, read by another program. Needs LibreOffice. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { csvOf } from "../../functions/engine/exports/csv-file.ts";
import { tablesOf } from "../../functions/engine/exports/result-tables.ts";
import { xlsxOf } from "../../functions/engine/exports/xlsx-file.ts";

const there = spawnSync("soffice", ["--version"], { timeout: 60_000 }).error === undefined;
if (!there) console.warn("SKIPPED: workbooks read by LibreOffice, which is not here (soffice)");

const VALUE = {
  formula: "=1+1",
  total: -12.5,
  day: "2026-01-31",
  ok: true,
  text: "two\nlines",
  items: [{ name: "Größe" }, { name: "@x" }],
};

it.skipIf(!there)("LibreOffice reads the workbook and the CSV without a loss", () => {
  const folder = mkdtempSync(join(tmpdir(), "sheaf-tabular-"));
  const convert = (from: string, to: string): void => {
    const profile = `-env:UserInstallation=file://${folder}/profile`;
    const args = [profile, "--headless", "--convert-to", to, "--outdir", folder, join(folder, from)];
    expect(spawnSync("soffice", args, { timeout: 120_000 }).status).toBe(0);
  };
  return (async () => {
    try {
      const tables = tablesOf([{ lead: [], value: VALUE }]);
      writeFileSync(join(folder, "workbook.xlsx"), await xlsxOf(tables));
      convert("workbook.xlsx", "csv:Text - txt - csv (StarCalc):44,34,76");
      expect(readFileSync(join(folder, "workbook.csv"), "utf8").split(/\r?\n(?!lines)/)).toEqual([
        "formula,total,day,ok,text,items.name",
        '=1+1,-12.5,2026-01-31,TRUE,"two\nlines",Größe',
        '=1+1,-12.5,2026-01-31,TRUE,"two\nlines",@x',
        "",
      ]);
      const [main] = tables;
      if (main === undefined) throw new Error("There is always a main table");
      writeFileSync(join(folder, "table.csv"), csvOf(main, { mark: true }));
      convert("table.csv", "fods");
      const sheet = readFileSync(join(folder, "table.fods"), "utf8");
      expect(sheet).not.toContain("table:formula");
      expect(sheet).toContain("=1+1");
      expect(sheet.match(/<table:table-row/g)?.length).toBeGreaterThanOrEqual(3);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  })();
});
