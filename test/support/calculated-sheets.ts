/** Values of workbooks as LibreOffice calculates them. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const hasLibreOffice = (): boolean =>
  spawnSync("soffice", ["--version"], { timeout: 60_000 }).error === undefined;

/** Fields between commas, all sheets, formulas calculated. */
const CSV = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1";

/** The rows of every sheet as text, by workbook and sheet. */
export function calculate(workbooks: Readonly<Record<string, Uint8Array>>): Record<string, Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), "calculated-"));
  const out = join(folder, "out");
  mkdirSync(out);
  const files = Object.entries(workbooks).map(([name, bytes]) => {
    const file = join(folder, `${name}.xlsx`);
    writeFileSync(file, bytes);
    return file;
  });
  try {
    const args = [
      `-env:UserInstallation=file://${folder}/profile`,
      "--headless",
      "--convert-to",
      CSV,
      "--outdir",
      out,
      ...files,
    ];
    const { status, stderr } = spawnSync("soffice", args, { timeout: 540_000 });
    if (status !== 0) throw new Error(`soffice ended with ${status}: ${stderr}`);
    const found: Record<string, Record<string, string>> = {};
    for (const name of Object.keys(workbooks)) {
      const sheets = readdirSync(out).filter((file) => file.startsWith(`${name}-`));
      found[name] = Object.fromEntries(
        sheets.map((file) => [file.slice(name.length + 1, -4), readFileSync(join(out, file), "utf8")]),
      );
    }
    return found;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
