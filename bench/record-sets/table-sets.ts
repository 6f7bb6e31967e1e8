/** Sets of pages with tables for a first sight: where each page comes from, and the grids of its tables by hand. */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { SetFile } from "../first-sight/sets.ts";

/** `drawn`: a page with a text layer that the bench draws as a poor scan. */
export type PageKind = "text layer" | "scan" | "photo" | "drawn";

export interface TablePage extends Omit<SetFile, "kind"> {
  kind: PageKind;
  /** From 1; absent for pictures. */
  page?: number;
}

/** A text is a cell of one row and one column, the empty text a blank position, null a position under a span. */
export type TruthCell =
  | string
  | null
  | {
      text: string;
      rowSpan?: number;
      colSpan?: number;
      /** Nothing at this position is judged: two readings are right. */
      free?: true;
      /** Text and position are judged, the span is not. */
      anySpan?: true;
    };

export interface TruthTable {
  /** Drawn lines separate the columns of the body. */
  ruled: boolean;
  headerRows: number;
  rows: TruthCell[][];
}

/** Every reading is right as a whole, such as four tables or one of four parts; most pages have one. */
export interface PageTruth {
  readings: TruthTable[][];
}

export interface TableSet {
  name: string;
  about: string;
  files: TablePage[];
  /** By the name of the page. */
  truths: Record<string, PageTruth>;
}

export const TABLE_SETS_FOLDER = path.join(import.meta.dirname, "sets");
const TRUTH_ENDING = ".truth.json";

export async function tableSetNames(folder = TABLE_SETS_FOLDER): Promise<string[]> {
  const files = await readdir(folder);
  return files
    .filter((file) => file.endsWith(TRUTH_ENDING))
    .map((file) => file.slice(0, -TRUTH_ENDING.length))
    .sort();
}

/** Reads a set. @throws Error when its list or its truth is not there */
export async function loadTableSet(name: string, folder = TABLE_SETS_FOLDER): Promise<TableSet> {
  const read = async (file: string): Promise<unknown> => JSON.parse(await readFile(path.join(folder, file), "utf8"));
  const { about, files } = (await read(`${name}.json`)) as Pick<TableSet, "about" | "files">;
  return { name, about, files, truths: (await read(name + TRUTH_ENDING)) as TableSet["truths"] };
}

/** Says what is wrong with a grid: rows of unequal length, spans that leave it, nulls that no span covers. */
function gridFaults({ rows }: TruthTable): string[] {
  const width = rows[0]?.length ?? 0;
  const covered = new Set<string>();
  const faults: string[] = [];
  for (const [row, cells] of rows.entries()) {
    if (cells.length !== width) faults.push(`row ${row} has ${cells.length} positions, not ${width}`);
    for (const [column, cell] of cells.entries()) {
      const place = `${row}/${column}`;
      if ((cell === null) !== covered.has(place)) faults.push(`${place} is null without a span, or a cell under one`);
      if (cell === null || typeof cell === "string") continue;
      const { rowSpan = 1, colSpan = 1 } = cell;
      if (row + rowSpan > rows.length || column + colSpan > width) faults.push(`${place} spans beyond the table`);
      for (let down = 0; down < rowSpan; down += 1)
        for (let right = 0; right < colSpan; right += 1)
          if (down + right > 0) covered.add(`${row + down}/${column + right}`);
    }
  }
  return faults;
}

/** Says what is wrong with a set: pages twice, pages without truth, truth without a page, grids that do not close. */
export function tableSetFaults({ files, truths }: Pick<TableSet, "files" | "truths">): string[] {
  const names = files.map(({ name }) => name);
  return [
    ...names.flatMap((name, at) => (names.indexOf(name) < at ? [`${name}: two pages have this name`] : [])),
    ...files.flatMap(({ name, sha256, commit }) =>
      /^[0-9a-f]{64}$/.test(sha256) && /^[0-9a-f]{40}$/.test(commit) ? [] : [`${name}: its hashes are not whole`],
    ),
    ...names.filter((name) => !Object.hasOwn(truths, name)).map((name) => `${name}: has no truth`),
    ...Object.entries(truths).flatMap(([name, { readings }]) => [
      ...(names.includes(name) ? [] : [`${name}: is a truth without a page`]),
      ...(readings.every((tables) => tables.length > 0) && readings.length > 0 ? [] : [`${name}: has no table`]),
      ...readings.flatMap((tables) => tables.flatMap(gridFaults)).map((fault) => `${name}: ${fault}`),
    ]),
  ];
}
