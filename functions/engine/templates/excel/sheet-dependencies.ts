/** Sheets whose formulas read changed sheets: their last results are wrong. */
import { SheetFormulas } from "./cell-formulas.ts";
import type { FormulaPart } from "./formula-tokens.ts";
import { type Pivots, staleCaches } from "./pivot-tables.ts";
import type { SheetTemplate, WorkbookTemplate } from "./sheet-template.ts";
import { sheetsNamed } from "./shift-formula.ts";

/** A name, a table or a function whose result depends on more than its references: it may read any sheet. */
const READS_ANY = /\[|\b(?:INDIRECT|OFFSET|TODAY|NOW|RAND|RANDBETWEEN|CELL|INFO)\(/i;
const WORDS = /[\p{L}_\\][\p{L}\p{N}_.\\]*(\s{0,9}\()?/gu;
const TEXTS = /"(?:[^"]|"")*"|#[A-Z/0-9_]+[!?]?|\b(?:TRUE|FALSE)\b|\d+(?:\.\d*)?(?:E[+-]?\d+)?/gi;

function readsAny(parts: readonly FormulaPart[]): boolean {
  const text = parts
    .map((part) => (typeof part === "string" ? part : "0"))
    .join("")
    .replace(TEXTS, "0");
  // A word that is no function is a name.
  return READS_ANY.test(text) || [...text.matchAll(WORDS)].some(([, call]) => call === undefined);
}

interface Reads {
  key: string;
  sheets: Set<string>;
  any: boolean;
}

function readsOf({ sheet }: SheetTemplate): Reads {
  const formulas = new SheetFormulas(sheet.source.rows);
  const reads: Reads = { key: sheet.key, sheets: new Set(), any: false };
  const seen = new Set<readonly FormulaPart[]>();
  for (const row of sheet.source.rows) {
    for (const cell of row.cells) {
      const parts = formulas.of(cell, row.number)?.parts;
      if (parts === undefined || seen.has(parts)) continue;
      seen.add(parts);
      for (const name of sheetsNamed(parts)) reads.sheets.add(name);
      reads.any ||= readsAny(parts) || parts.some((part) => typeof part !== "string" && part.sheets.length > 1);
    }
  }
  return reads;
}

/** Lower-case names of the sheets with pivot tables over these sheets. */
const pivotSheets = (pivots: Pivots, changed: ReadonlySet<string>): string[] => {
  const stale = staleCaches(pivots, changed);
  return pivots.tables.filter(({ cache }) => stale.has(cache)).map(({ sheet }) => sheet.key);
};

/** @param touched lower-case names of sheets @returns those and the sheets that read them, near or far */
export function changedSheets({ sheets, pivots }: WorkbookTemplate, touched: readonly string[]): Set<string> {
  const changed = new Set(touched);
  if (changed.size === 0) return changed;
  let open = sheets.filter(({ sheet }) => !changed.has(sheet.key)).map(readsOf);
  for (let before = -1; before !== changed.size; ) {
    before = changed.size;
    for (const key of pivotSheets(pivots, changed)) changed.add(key);
    for (const { key, sheets: read, any } of open)
      if (any || [...read].some((name) => changed.has(name))) changed.add(key);
    open = open.filter(({ key }) => !changed.has(key));
  }
  return changed;
}
