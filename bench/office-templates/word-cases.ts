/** Word templates of the corpus and made ones, beside bare docxtemplater. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import Docxtemplater from "docxtemplater";
import PizZip from "pizzip";
import { describeWord, fillWord } from "../../functions/engine/templates/word/word-template.ts";
import type { JsonObject } from "../../functions/ports/json.ts";
import { distinctValues } from "./distinct-values.ts";
import { madeWord, paragraph, tableOf } from "./made-word.ts";
import type { OfficeCase } from "./office-case.ts";

const MOST_RATIO = 1.1;

/** Files with tags that the library fills, too. */
const FILES = [
  { file: "docxtemplater-tag-example.docx", delimiters: { start: "{", end: "}" } },
  { file: "docxtemplater-product-loop.docx", delimiters: { start: "{", end: "}" } },
  { file: "used-car-sale-contract.docx", delimiters: { start: "${", end: "}" } },
] as const;
const CONTROLS = ["word-invoice-content-controls.dotx", "word-timesheet-content-controls.dotx"] as const;
/** Most milliseconds for a form of content controls, which no library fills. */
const MOST_CONTROL_MS = 50;

interface Delimiters {
  start: string;
  end: string;
}

/** Fills a template with the library alone, as its documentation shows it. */
export function fillBareWord(
  bytes: Uint8Array,
  values: JsonObject,
  delimiters: Delimiters = { start: "{", end: "}" },
): Uint8Array {
  const document = new Docxtemplater(new PizZip(bytes), {
    paragraphLoop: true,
    linebreaks: true,
    delimiters,
    nullGetter: () => "",
  });
  document.render(values);
  return document.getZip().generate({ type: "uint8array", compression: "DEFLATE" });
}

function tagCase(
  name: string,
  size: string,
  bytes: Uint8Array,
  values: JsonObject,
  delimiters?: Delimiters,
): OfficeCase {
  const request = { fields: values, images: new Map(), flatten: false, missingIsError: false, ignoreUnknown: false };
  return {
    name,
    size,
    ours: () => fillWord(bytes, request),
    bare: async () => fillBareWord(bytes, values, delimiters),
    mostRatio: MOST_RATIO,
  };
}

/** Sizes of the made templates. */
const ROWS = 2_000;
const PARAGRAPHS = 3_000;
const TAGS = 500;

function madeCases(): OfficeCase[] {
  const rows = madeWord(
    tableOf([
      ["Title", "Price", "Number"],
      ["{#items}{title}", "{price}", "{number}{/items}"],
    ]),
  );
  const items = Array.from({ length: ROWS }, (_, index) => ({
    title: `Item ${index}`,
    price: index / 4,
    number: index,
  }));
  const loop = madeWord(["{#items}", "Item {title} of {number}", "{/items}"].map(paragraph).join(""));
  const many = Array.from({ length: PARAGRAPHS }, (_, index) => ({ title: `Item ${index}`, number: index }));
  const names = Array.from({ length: TAGS }, (_, index) => `name${index}`);
  const tags = madeWord(names.map((name) => paragraph(`Some text before {${name}} and after it.`)).join(""));
  const values = Object.fromEntries(names.map((name) => [name, `value of ${name}`]));
  return [
    tagCase("a table", `${ROWS} rows`, rows, { items }),
    tagCase("a loop", `${PARAGRAPHS} paragraphs`, loop, { items: many }),
    tagCase("a page of tags", `${TAGS} tags`, tags, values),
  ];
}

/** @param corpus folder of real documents */
export async function wordCases(corpus: string): Promise<OfficeCase[]> {
  const cases: OfficeCase[] = [];
  for (const { file, delimiters } of FILES) {
    const bytes = await readFile(join(corpus, "office-templates", file));
    const { fields } = await describeWord(bytes);
    cases.push(tagCase(file, `${fields.length} fields`, bytes, distinctValues(fields).values, delimiters));
  }
  for (const file of CONTROLS) {
    const bytes = await readFile(join(corpus, "office-templates", file));
    const { fields } = await describeWord(bytes);
    const {
      bare: _bare,
      mostRatio: _most,
      ...own
    } = tagCase(file, `${fields.length} fields`, bytes, distinctValues(fields).values);
    cases.push({ ...own, mostMs: MOST_CONTROL_MS });
  }
  return [...cases, ...madeCases()];
}
