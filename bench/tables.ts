/**
 * The cells of a table over sixteen pages: F1 against two hundred cells checked by eye (bench/tables/warn-report.json),
 * compared with `pdftotext -layout` cut at wide spaces. `npm run bench -- tables [--corpus DIR]`.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { lineText } from "../functions/engine/layout/page-words.ts";
import { withPdf } from "../functions/engine/readers/pdf/pdf-document.ts";
import { readPdfPage } from "../functions/engine/readers/pdf/read-pdf-page.ts";
import { joinTables } from "../functions/engine/structure/tables/continued-tables.ts";
import type { Page, TableBlock } from "../functions/ports/layout.ts";
import { canMeasure, corpusFolder } from "./support/corpus.ts";

interface Sample {
  file: string;
  /** In reading order. */
  tables: { page: number; rows: number; columns: number; headerRows: number; continued: boolean }[];
  cells: [page: number, row: number, column: number, text: string][];
}

/** Texts of cells by page, row and column. */
type Cells = Map<string, string>;

const MIN_F1 = 0.95;
const cellKey = (page: number, row: number, column: number): string => `${page}/${row}/${column}`;
const foldSpaces = (text: string): string => text.trim().replace(/\s+/g, " ");
const tablesOf = (page: Page): TableBlock[] => page.blocks.filter((block) => block.kind === "table");

const readPages = (bytes: Uint8Array): Promise<Page[]> =>
  withPdf(bytes, ({ pageCount, withPage }) =>
    Array.from({ length: pageCount }, (_, index) => withPage(index, (page) => readPdfPage(page, index + 1))),
  );

function ourCells(pages: readonly Page[]): Cells {
  const cells: Cells = new Map();
  for (const page of pages) {
    let first = 0;
    for (const table of tablesOf(page)) {
      for (const { row, column, lines } of table.cells)
        cells.set(cellKey(page.number, first + row, column), lines.map(lineText).join(" "));
      first += table.rows;
    }
  }
  return cells;
}

/** Rows are lines with a wide space, cells the texts between such spaces. */
function yardstickCells(file: string): Cells {
  const { stdout } = spawnSync("pdftotext", ["-layout", file, "-"], { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  const cells: Cells = new Map();
  stdout.split("\f").forEach((text, index) => {
    const rows = text.split("\n").map((line) => line.trim().split(/\s{2,}/));
    rows
      .filter((row) => row.length > 1)
      .forEach((row, at) => {
        for (const [column, cell] of row.entries()) cells.set(cellKey(index + 1, at, column), cell);
      });
  });
  return cells;
}

/** The positions of the table's real cells. */
function realPlaces({ tables }: Sample): Set<string> {
  const places = new Set<string>();
  const rows = new Map<number, number>();
  for (const table of tables) {
    const first = rows.get(table.page) ?? 0;
    for (let row = 0; row < table.rows; row += 1)
      for (let column = 0; column < table.columns; column += 1) places.add(cellKey(table.page, first + row, column));
    rows.set(table.page, first + table.rows);
  }
  return places;
}

/** Scores of the sampled cells; text at positions without a cell lowers the precision. */
function measure(sample: Sample, cells: Cells): { recall: number; precision: number; f1: number; wrong: string[] } {
  const places = realPlaces(sample);
  const extra = [...cells].filter(([key, text]) => foldSpaces(text) !== "" && !places.has(key)).length;
  const wrong: string[] = [];
  let given = extra;
  for (const [page, row, column, text] of sample.cells) {
    const found = cells.get(cellKey(page, row, column));
    if (found !== undefined) given += 1;
    if (found === undefined || foldSpaces(found) !== foldSpaces(text))
      wrong.push(
        `page ${page}, row ${row}, column ${column}: "${text}", found ${found === undefined ? "none" : `"${found}"`}`,
      );
  }
  const right = sample.cells.length - wrong.length;
  const [recall, precision] = [right / sample.cells.length, given === 0 ? 0 : right / given];
  return { recall, precision, f1: right === 0 ? 0 : (2 * recall * precision) / (recall + precision), wrong };
}

/** Mistakes in the description of the tables: rows, columns, header, continuation. */
function descriptionFaults(sample: Sample, pages: readonly Page[]): string[] {
  const found = pages.flatMap((page) => tablesOf(page).map((table) => ({ page: page.number, table })));
  const describe = (one: {
    page: number;
    rows: number;
    columns: number;
    headerRows: number;
    continued: boolean;
  }): string =>
    `page ${one.page}: ${one.rows} rows, ${one.columns} columns, ${one.headerRows} of header${one.continued ? ", continued" : ""}`;
  const ours = found.map(({ page, table }) => describe({ ...table, page, continued: table.continued === true }));
  const theirs = sample.tables.map(describe);
  return [
    ...theirs.filter((line) => !ours.includes(line)).map((line) => `missing: ${line}`),
    ...ours.filter((line) => !theirs.includes(line)).map((line) => `not so: ${line}`),
  ];
}

const resultRow = (
  name: string,
  { recall, precision, f1 }: { recall: number; precision: number; f1: number },
): string => `${name.padEnd(32)}${[recall, precision, f1].map((value) => value.toFixed(3).padEnd(11)).join("")}`;

/** Prints the table; without the corpus only a message. */
export async function run(args: string[]): Promise<void> {
  const corpus = corpusFolder(args);
  const sample = JSON.parse(
    await readFile(path.join(import.meta.dirname, "tables/warn-report.json"), "utf8"),
  ) as Sample;
  const file = path.join(corpus, sample.file);
  const hasYardstick = canMeasure(corpus, "pdftotext");
  if (!existsSync(file)) return;
  const pages = joinTables(await readPages(new Uint8Array(await readFile(file))));
  const ours = measure(sample, ourCells(pages));
  console.log(`${sample.cells.length} cells of ${sample.file}`);
  console.log(`${"".padEnd(32)}recall     precision  F1 (goal ${MIN_F1})`);
  console.log(resultRow("cells of tables", ours));
  if (hasYardstick) {
    const theirs = measure(sample, yardstickCells(file));
    console.log(resultRow("pdftotext -layout, wide spaces", theirs));
    console.log(`F1 ${(ours.f1 / theirs.f1).toFixed(2)} times the yardstick`);
  }
  const amiss = descriptionFaults(sample, pages);
  console.log(
    `Tables whose rows, columns, header and continuation are right: ${sample.tables.length - amiss.filter((line) => line.startsWith("missing")).length} of ${sample.tables.length}`,
  );
  for (const line of [...amiss, ...ours.wrong.slice(0, 10)]) console.log(`  ${line}`);
  if (ours.f1 < MIN_F1) {
    console.error(`The goal is missed: F1 ${ours.f1.toFixed(3)}`);
    process.exitCode = 1;
  }
}
