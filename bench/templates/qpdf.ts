/** Values of a form as qpdf reads them: a program that shares no code with this project. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const MAX_OUTPUT_BYTES = 256 * 2 ** 20;

export const hasQpdf = (): boolean => spawnSync("qpdf", ["--version"]).error === undefined;

interface QpdfField {
  fullname: string;
  value: unknown;
}

/** A text as qpdf's JSON has it: names with a solidus, version 2 texts with a mark. */
function plain(value: unknown): string | null {
  if (Array.isArray(value)) return plain(value[0]);
  return typeof value === "string" ? value.replace(/^u:|^\//u, "") : null;
}

/** Runs qpdf on bytes. @throws Error with its words where it finds the file damaged */
function runQpdf(bytes: Uint8Array, args: readonly string[]): string {
  const folder = mkdtempSync(path.join(tmpdir(), "sheaf-qpdf-"));
  try {
    const file = path.join(folder, "form.pdf");
    writeFileSync(file, bytes);
    const run = spawnSync("qpdf", [...args, file], { encoding: "utf8", maxBuffer: MAX_OUTPUT_BYTES });
    if (run.error !== undefined) throw run.error;
    // 3: warnings, which some forms have before they are filled.
    if (run.status !== 0 && run.status !== 3) throw new Error(run.stderr);
    return run.stdout;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Values by full name; null where a field has none. */
export function qpdfValues(bytes: Uint8Array): Map<string, string | null> {
  const read = JSON.parse(runQpdf(bytes, ["--json", "--json-key=acroform"])) as { acroform: { fields: QpdfField[] } };
  return new Map(read.acroform.fields.map(({ fullname, value }) => [fullname, plain(value)]));
}

/** @throws Error for a file that qpdf finds damaged */
export const qpdfCheck = (bytes: Uint8Array): string => runQpdf(bytes, ["--check"]);
