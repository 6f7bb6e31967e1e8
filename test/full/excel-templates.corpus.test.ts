/** Real templates of Excel: fields as the manifest has them, and values read back from the file and from LibreOffice. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { listZip } from "../../functions/engine/readers/zip-archive.ts";
import { describeExcel, fillExcel } from "../../functions/engine/templates/excel/excel-template.ts";
import type { TemplateField } from "../../functions/engine/templates/template.ts";
import type { JsonObject } from "../../functions/ports/json.ts";
import { calculate, hasLibreOffice } from "../support/calculated-sheets.ts";
import { cellsOf } from "../support/excel-workbook.ts";
import { fillRequest } from "../support/fill-excel.ts";

const CORPUS = resolve(import.meta.dirname, "../../../shared/corpus");
const present = existsSync(join(CORPUS, "MANIFEST.json"));
if (!present) console.warn(`SKIPPED: the corpus is not at ${CORPUS}; no real template of Excel was filled`);
const hasOffice = hasLibreOffice();
if (!hasOffice) console.warn("SKIPPED: values read through LibreOffice, which is not here (soffice)");

interface Facts {
  placeholders: Record<string, number>;
  placeholder_examples: string[];
}
const manifest: { files: { path: string; facts: Facts }[] } = present
  ? JSON.parse(readFileSync(join(CORPUS, "MANIFEST.json"), "utf8"))
  : { files: [] };
const templates = manifest.files.filter(({ path }) => /^office-templates\/.*\.xl[st]x$/.test(path));

const load = (path: string): Uint8Array => new Uint8Array(readFileSync(join(CORPUS, path)));

const ITEMS = 5;
const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(2031, 0, 1);
/** Serial number of the first day. */
const FIRST_SERIAL = 47_849;
const LEAST_VALUE = 0.995;

/** A value of its own for each field, and what cells hold of it. */
function distinctValues(fields: readonly TemplateField[], held: (string | number)[]): JsonObject {
  const values: JsonObject = {};
  for (const field of fields) {
    const number = held.length + 1;
    if (field.type === "loop") {
      values[field.name] = Array.from({ length: ITEMS }, () => distinctValues(field.fields, held));
    } else if (field.valueType === "date") {
      values[field.name] = new Date(FIRST_DAY + number * DAY_MS).toISOString().slice(0, 10);
      held.push(FIRST_SERIAL + number);
    } else {
      const value = field.valueType === "number" ? 7_000 + number : `=Value ${number} <&>`;
      values[field.name] = value;
      held.push(value);
    }
  }
  return values;
}

/** Names as tags write them: those of lists before their items'. */
const namesOf = (fields: readonly TemplateField[], above = ""): string[] =>
  fields.flatMap(({ name, type, fields: inner }) =>
    type === "loop" ? namesOf(inner, `${name}.`) : [`${above}${name}`],
  );

describe.skipIf(!present)("Excel templates of the corpus", () => {
  it("are at hand", () => expect(templates.length).toBeGreaterThan(0));

  it.each(templates.map(({ path, facts }) => [path, facts] as const))(
    "%s",
    { timeout: 300_000 },
    async (path, facts) => {
      const bytes = load(path);
      const { fields } = await describeExcel(bytes);
      const names = namesOf(fields);
      const stated = Object.values(facts.placeholders).reduce((sum, count) => sum + count, 0);
      expect(names).toHaveLength(stated);
      const examples = facts.placeholder_examples.map((tag) => tag.replace(/^[${]+(?:table:)?|\}+$/g, ""));
      expect(names).toEqual(expect.arrayContaining(examples));

      const held: (string | number)[] = [];
      const values = distinctValues(fields, held);
      const filled = (await fillExcel(bytes, fillRequest(values, { missingIsError: true }))).bytes;
      const cells = new Set(Object.values(cellsOf(filled)));
      expect(held.length).toBeGreaterThan(10);
      expect(held.filter((value) => cells.has(value)).length / held.length).toBeGreaterThanOrEqual(LEAST_VALUE);
      expect([...cells].filter((value) => typeof value === "string" && value.includes("${"))).toEqual([]);
      const parts = (file: Uint8Array): string[] => (listZip(file) ?? []).map(({ name }) => name);
      expect(parts(bytes).filter((name) => !parts(filled).includes(name) && !name.endsWith("calcChain.xml"))).toEqual(
        [],
      );

      if (!hasOffice) return;
      const sheets = Object.values(calculate({ filled }).filled ?? {}).join("\n");
      const texts = held.filter((value) => typeof value === "string");
      expect(texts.filter((text) => sheets.includes(text)).length / texts.length).toBeGreaterThanOrEqual(LEAST_VALUE);
      expect(sheets).not.toMatch(/#REF!|#NAME\?|#VALUE!|Err:\d/);
      // The number of items, which a table's row of totals counts.
      if (path.includes("named-tables")) expect(sheets).toContain(`Total,${ITEMS}`);
    },
  );
});
