/** Real invoices: printed values are located, invented values are not. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { cutText } from "../../bench/support/cut-text.ts";
import { extractOffline } from "../../functions/engine/extraction/rules/extract-offline.ts";
import { locateValues } from "../../functions/engine/grounding/locate-values.ts";
import { pageWords } from "../../functions/engine/layout/page-words.ts";
import type { SourceLocation } from "../../functions/engine/layout/source-locations.ts";
import { readDocument } from "../../functions/engine/readers/read-document.ts";
import { parseBoolean } from "../../functions/engine/values/booleans.ts";
import { parseCurrency } from "../../functions/engine/values/currencies.ts";
import { scanDates } from "../../functions/engine/values/dates.ts";
import { scanNumbers } from "../../functions/engine/values/numbers.ts";
import { foldText } from "../../functions/engine/values/text-folding.ts";
import type { Json } from "../../functions/ports/json.ts";
import type { Layout } from "../../functions/ports/layout.ts";

const CORPUS = resolve(import.meta.dirname, "../../../shared/corpus");
const present = existsSync(join(CORPUS, "MANIFEST.json"));
if (!present) console.warn(`SKIPPED: the corpus is not at ${CORPUS}; nothing was located on real documents`);

interface Entry {
  path: string;
  facts: { text_layer_chars?: number; scan?: boolean; expected?: Json };
}
const manifest: { files: Entry[] } = present
  ? JSON.parse(readFileSync(join(CORPUS, "MANIFEST.json"), "utf8"))
  : { files: [] };
const invoices = manifest.files.filter(
  ({ path, facts }) =>
    path.startsWith("invoices/") && path.endsWith(".pdf") && (facts.text_layer_chars ?? 0) > 0 && facts.scan !== true,
);

const read = async (path: string): Promise<{ layout: Layout; bytes: Buffer }> => {
  const bytes = readFileSync(join(CORPUS, path));
  return { bytes, layout: (await readDocument(bytes, { mimeType: "application/pdf" })).layout };
};

const leavesOf = (value: Json, pointer = ""): [string, Json][] =>
  value === null || typeof value !== "object"
    ? [[pointer, value]]
    : Object.entries(value).flatMap(([name, member]) => leavesOf(member, `${pointer}/${name}`));

const compact = (text: string): string => foldText(text).replace(/[^\p{L}\p{N}]/gu, "");

/** True when a text states a value, independent of the code under test. */
function says(text: string, value: Json): boolean {
  if (typeof value === "number") {
    const read = (["point", "comma"] as const).flatMap((notation) => scanNumbers(text, notation));
    const digits = text.match(/\d+/g) ?? [];
    return read.some((span) => Math.abs(span.value) === Math.abs(value)) || digits.some((run) => Number(run) === value);
  }
  if (typeof value === "boolean") return parseBoolean(text) === value;
  if (typeof value !== "string" || value.trim() === "") return false;
  if (compact(text).includes(compact(value)) && (compact(value) !== "" || text.includes(value))) return true;
  const dates = (["day-first", "month-first"] as const).flatMap((order) => scanDates(text, order));
  if (dates.some(({ iso }) => iso === value.slice(0, 10))) return true;
  const currency = parseCurrency(value, new Set());
  const marks = text.match(/[€£$¥]|\p{Lu}{3}/gu) ?? [];
  return currency !== null && marks.some((mark) => parseCurrency(mark, new Set([currency])) === currency);
}

/** True when a value is printed on a line, or in the continuous text. */
function isPrinted(layout: Layout, value: Json): boolean {
  const words = layout.pages.flatMap(pageWords).map((word) => word.text);
  return words.some((_, at) => says(words.slice(at, at + 4).join(" "), value)) || says(words.join(" "), value);
}

const cutFrom = async (bytes: Uint8Array, location: SourceLocation): Promise<string> =>
  (await Promise.all(location.pageAnchors.map(({ pageNumber, bbox }) => cutText(bytes, pageNumber, bbox)))).join(" ");

/** Other digits, other days, exchanged letters: values that a model might invent. */
function invent(value: Json, step: number): Json {
  if (Array.isArray(value)) return value.map((member, at) => invent(member, step + at));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, member], at) => [name, invent(member, step + at)]));
  let count = 0;
  const moved = (text: string): string =>
    text.replace(/\d/g, (digit) => {
      count += 1;
      return String((Number(digit) + 1 + ((count * 7 + step) % 8)) % 10);
    });
  // A number of one digit is on every page.
  if (typeof value === "number") return Math.abs(value) < 10 ? null : Number(moved(String(value)).replace(/^0/, "3"));
  if (typeof value !== "string" || value.length <= 3) return null;
  if (/^\d{4}-\d{2}-\d{2}$/.test(value))
    return new Date(Date.parse(value) + 86_400_000 * (37 + step * 13)).toISOString().slice(0, 10);
  if (/\d/.test(value)) return moved(value);
  const other: Record<string, string> = {
    a: "u",
    e: "a",
    r: "k",
    n: "p",
    s: "g",
    A: "U",
    E: "I",
    R: "K",
    N: "P",
    S: "G",
  };
  return value.replace(/\p{L}/gu, (letter) => other[letter] ?? letter);
}

describe.skipIf(!present)("locating values on real invoices", () => {
  it("finds printed values, with a box whose text is the value", async () => {
    let [printed, right] = [0, 0];
    const misses: string[] = [];
    for (const { path, facts } of invoices) {
      const { layout, bytes } = await read(path);
      const { sources } = locateValues(layout, facts.expected ?? null, { granularity: "word" });
      for (const [pointer, value] of leavesOf(facts.expected ?? null)) {
        const location = sources.locations[pointer];
        if (value === null || (location === undefined && !isPrinted(layout, value))) continue;
        printed += 1;
        const cut = location === undefined ? null : await cutFrom(bytes, location);
        if (cut !== null && says(cut, value)) right += 1;
        else misses.push(`${path} ${pointer} ${JSON.stringify(value)}: ${cut ?? "not located"}`);
      }
    }
    console.info(`${right} of ${printed} printed values have a box whose text is the value\n${misses.join("\n")}`);
    expect(printed).toBeGreaterThan(300);
    expect(right / printed).toBeGreaterThanOrEqual(0.95);
  });

  it("does not find values that the document does not contain", async () => {
    let invented = 0;
    const wrong: string[] = [];
    for (const { path, facts } of invoices) {
      const { layout } = await read(path);
      for (let step = 1; step <= 4; step += 1) {
        const data = invent(facts.expected ?? null, step);
        const { sources } = locateValues(layout, data, { granularity: "word" });
        for (const [pointer, value] of leavesOf(data)) {
          if (value === null || isPrinted(layout, value)) continue;
          invented += 1;
          if (sources.locations[pointer] !== undefined)
            wrong.push(
              `${path} ${pointer} ${JSON.stringify(value)}: ${sources.locations[pointer].sourceRefs.join(" ")}`,
            );
        }
      }
    }
    console.info(`${wrong.length} of ${invented} invented values were located\n${wrong.join("\n")}`);
    expect(invented).toBeGreaterThan(800);
    expect(wrong.length / invented).toBeLessThanOrEqual(0.01);
  });

  it("finds values read without a model at the same words", async () => {
    let [all, located, same] = [0, 0, 0];
    for (const { path } of invoices) {
      const { layout } = await read(path);
      const offline = extractOffline(layout, { granularity: "word" });
      const { locations } = locateValues(layout, offline.result, { granularity: "word" }).sources;
      for (const [pointer, { sourceRefs }] of Object.entries(offline.sources.locations)) {
        // A document's type and language are words of our own.
        if (!/^\/(?:key_values|tables)\//.test(pointer)) continue;
        all += 1;
        const own = locations[pointer];
        if (own !== undefined) located += 1;
        if (own?.sourceRefs.join() === sourceRefs.join()) same += 1;
      }
    }
    console.info(`of ${all} values read without a model ${located} are located, ${same} at the same words`);
    expect(located / all).toBeGreaterThanOrEqual(0.98);
    expect(same / all).toBeGreaterThanOrEqual(0.9);
  });
});
