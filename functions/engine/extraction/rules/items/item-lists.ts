/** Items of a schema's lists of objects: each table is assigned to the list that it fits best. */

import type { Field, Shape } from "../../../schema/schema-shape.ts";
import { namesTax } from "../../../structure/records/charges.ts";
import { withoutPositions } from "../../../structure/records/glued-positions.ts";
import { type Area, type PrintedRecord, type RecordSet, recordTexts } from "../../../structure/records/record-set.ts";
import { turnedRecords, withHalvesJoined } from "../../../structure/records/side-by-side-records.ts";
import { summedRecords } from "../../../structure/records/summed-records.ts";
import { tableRecords } from "../../../structure/records/table-records.ts";
import { labelKey } from "../../../values/label-words.ts";
import { lazily } from "../../../values/lazily.ts";
import { scanNumbers } from "../../../values/numbers.ts";
import { splitName } from "../../../values/text-folding.ts";
import type { LabelMeaning } from "../../../values/vocabulary/label-index.ts";
import { printedCents, toCents } from "../amounts/printed-cents.ts";
import type { DocumentContext } from "../document-context.ts";
import type { ResultNode } from "../findings.ts";
import { fitConcepts, fitGrid, type GridFit } from "./fit-grid.ts";
import { gridsOfRows } from "./item-rows.ts";
import { type ReadItems, readGrid } from "./read-grid.ts";
import { type WantedProperty, wantedProperties } from "./wanted-columns.ts";

type ListShape = Shape & { kind: "list" };

/** Items of one list; longer tables are cut. */
const MAX_ITEMS = 20_000;
const MAX_GRIDS = 2000;
const OVERLAP_TOLERANCE_INCHES = 0.05;
/** Distance of a list's name above its table. */
const MAX_TITLE_DISTANCE_INCHES = 0.8;
/** Score for a table below the list's name. */
const NAMED_BONUS = 0.3;
const MIN_RELATIVE_COLUMNS = 0.6;
/** Further tables of a list must fit nearly as well as its best one. */
const MIN_RELATIVE_SCORE = 0.8;

/** The scalars of an item, nested objects included, lists not. */
export function fieldsOf(shape: Shape): Field[] {
  if (shape.kind === "scalar") return [shape.field];
  if (shape.kind === "object") return shape.members.flatMap(({ shape: member }) => fieldsOf(member));
  return [];
}

/** The lists of objects in a schema, without nested lists. */
function listsIn(shape: Shape): ListShape[] {
  if (shape.kind === "list") return shape.item.kind === "object" ? [shape] : [];
  return shape.kind === "object" ? shape.members.flatMap(({ shape: member }) => listsIn(member)) : [];
}

/** Label keys of the lists' own properties, to find header rows. */
function ownKeys(wanted: readonly WantedProperty[]): Map<string, LabelMeaning[]> {
  const keys = new Map<string, LabelMeaning[]>();
  for (const [index, { meaning }] of wanted.entries()) {
    for (const { key, strength } of meaning.ownKeys)
      keys.set(key, [...(keys.get(key) ?? []), { concept: `own:${index}`, strength }]);
  }
  return keys;
}

/** Two grids overlap on a page. */
const overlap = (one: RecordSet, other: RecordSet): boolean =>
  one.areas.some((a) =>
    other.areas.some(
      (b) =>
        a.page === b.page && a.bottom > b.top - OVERLAP_TOLERANCE_INCHES && a.top < b.bottom + OVERLAP_TOLERANCE_INCHES,
    ),
  );

/** Stands in for that of a set without records. */
const NO_AREA: Area = { page: 0, top: 0, bottom: 0 };

interface GridMatch {
  list: ListShape;
  grid: RecordSet;
  fit: GridFit;
  score: number;
}

/** A line shortly above a table is the list's name. */
function isNamed(list: ListShape, grid: RecordSet, context: DocumentContext): boolean {
  const keys = [list.title, splitName(list.name).join(" ")].map(labelKey).filter((key) => key.length > 2);
  const [{ page: number, top } = NO_AREA] = grid.areas;
  const page = context.view.pages.find((one) => one.number === number);
  const above =
    page?.rows.filter(
      (row) => row.box.bottom <= top + OVERLAP_TOLERANCE_INCHES && row.box.bottom > top - MAX_TITLE_DISTANCE_INCHES,
    ) ?? [];
  return above.some((row) => row.segments.some(({ text }) => keys.includes(labelKey(text))));
}

/** Each grid with the list that it fits best. */
function matchAll(grids: readonly RecordSet[], lists: readonly ListShape[], context: DocumentContext): GridMatch[] {
  const wanted = new Map(lists.map((list) => [list, wantedProperties(fieldsOf(list.item), context.conventions)]));
  return grids.flatMap((grid) => {
    const matches = lists.flatMap((list): GridMatch[] => {
      const own = wanted.get(list) ?? [];
      const fit = grid.concepts === undefined ? fitGrid(grid, own, context.conventions) : fitConcepts(grid, own);
      if (fit === null) return [];
      return [{ list, grid, fit, score: fit.score + (isNamed(list, grid, context) ? NAMED_BONUS : 0) }];
    });
    const best = matches.sort((a, b) => b.score - a.score || b.fit.columns.size - a.fit.columns.size)[0];
    return best === undefined ? [] : [best];
  });
}

interface ReadMatch extends GridMatch, ReadItems {
  /** Number of values in them. */
  values: number;
}

function valuesIn(node: ResultNode): number {
  if (node.kind === "found") return 1;
  if (node.kind === "list") return node.items.reduce((sum, item) => sum + valuesIn(item), 0);
  return node.kind === "object" ? node.members.reduce((sum, [, member]) => sum + valuesIn(member), 0) : 0;
}

/** How often the document prints an amount. */
type CountPrinted = (amount: number) => number;

function readMatch(match: GridMatch, countPrinted: CountPrinted): ReadMatch {
  const isPrinted = (amount: number): boolean => countPrinted(amount) > 0;
  const read = readGrid(match.list.item, match.grid, match.fit, { maxItems: MAX_ITEMS, isPrinted });
  return { ...match, ...read, values: read.items.reduce((sum, item) => sum + valuesIn(item), 0) };
}

/** Values per item of plain rows, as a share of those of the reader's table in the same place. */
const MIN_FULLNESS_SHARE = 0.9;

/** Plain rows give more of a list than the reader's table in the same place. */
function showsMore(rows: ReadMatch, table: ReadMatch): boolean {
  // The rows and columns of data are no guess.
  if (table.grid.verbatim === true) return false;
  if (rows.list !== table.list || rows.items.length < table.items.length) return false;
  if (rows.items.length === table.items.length) return rows.values > table.values;
  return rows.values / rows.items.length >= MIN_FULLNESS_SHARE * (table.values / Math.max(1, table.items.length));
}

/** The matches that give a list's items. */
function bestMatches(list: ListShape, matches: readonly ReadMatch[], countPrinted: CountPrinted): ReadMatch[] {
  const own = matches.filter((match) => match.list === list && match.items.length > 0);
  const best = own.reduce((most, { score }) => Math.max(most, score), 0);
  const most = own.reduce((largest, { fit }) => Math.max(largest, fit.columns.size), 0);
  const fitting = own.filter(
    ({ score, fit }) => score >= best * MIN_RELATIVE_SCORE && fit.columns.size >= most * MIN_RELATIVE_COLUMNS,
  );
  return fitting.filter(({ grid, ...own }, at) => {
    const isCopied = fitting.slice(0, at).some((before) => isSame(grid, before.grid));
    return !isCopied || !isWholeBill(own, countPrinted);
  });
}

/** A printed total needs these items only: a further page with the same ones is the copy of a bill. */
function isWholeBill({ amounts, items }: Pick<ReadMatch, "amounts" | "items">, countPrinted: CountPrinted): boolean {
  if (amounts.length < items.length) return false;
  // A single amount is its own sum, on both pages.
  return countPrinted(totalOf(amounts)) > (amounts.length === 1 ? 2 : 0);
}

/** The same rows stand at the same place of another page. */
function isSame(
  { areas: [own = NO_AREA], records }: RecordSet,
  { areas: [first = NO_AREA], ...before }: RecordSet,
): boolean {
  if (own.page === first.page || Math.abs(own.top - first.top) > OVERLAP_TOLERANCE_INCHES) return false;
  const texts = ({ records: rows }: Pick<RecordSet, "records">): string => rows.map(recordTexts).join("\n");
  return texts({ records }) === texts(before);
}

const itemsOf = (matches: readonly ReadMatch[]): ResultNode[] =>
  matches.flatMap(({ items }) => items).slice(0, MAX_ITEMS);

const totalOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

/** Share of the items of found tables that proven lines must have to stand in their place. */
const MIN_SHARE_OF_ITEMS = 0.4;
const MIN_SHARE_OF_VALUES = 0.6;

/**
 * Lines that a sum or products prove stand in place of tables whose own amounts prove nothing, as no number of the
 * document is their sum, and of tables with the same items that say less of them.
 */
function areBetter(proven: readonly ReadMatch[], kept: readonly ReadMatch[], countPrinted: CountPrinted): boolean {
  if (proven.length === 0 || kept.some(({ grid }) => grid.verbatim === true)) return false;
  const [own, others] = [proven, kept].map((matches) => ({
    items: totalOf(matches.map(({ items }) => items.length)),
    values: totalOf(matches.map(({ values }) => values)),
    amounts: matches.flatMap(({ amounts }) => amounts),
  }));
  if (own === undefined || others === undefined || own.values < MIN_SHARE_OF_VALUES * others.values) return false;
  const evidence = proven.map(({ grid }) => grid.evidence);
  const isSummed = evidence.every((one) => one === "printed total");
  if (isSummed && own.items === others.items && own.values > others.values) return true;
  // The sum proves the table's own amounts, with all that it says beside them.
  if (own.items === others.items && toCents(totalOf(own.amounts)) === toCents(totalOf(others.amounts))) return false;
  // A single amount is its own sum.
  const least = others.items === 1 ? 2 : 1;
  const isWhole = others.amounts.length === others.items && countPrinted(totalOf(others.amounts)) >= least;
  if (isWhole && others.items > 1) return false;
  if (own.items > others.items / MIN_SHARE_OF_ITEMS) return true;
  if (isWhole) return false;
  if (others.amounts.length > 0 && !proven.some(isRecognised)) return isSummed && own.items >= others.items;
  return own.items >= MIN_SHARE_OF_ITEMS * others.items && !evidence.includes("part of a printed total");
}

const isRecognised = ({ grid: { records } }: ReadMatch): boolean =>
  records.some(({ cells }) => [...cells.values()].some(({ tokens }) => tokens.some(({ recognised }) => recognised)));

/** A record stands in one of the areas. */
const standsIn = (areas: readonly Area[], { page, box: { top } }: PrintedRecord): boolean =>
  areas.some(
    (area) =>
      area.page === page && top >= area.top - OVERLAP_TOLERANCE_INCHES && top <= area.bottom + OVERLAP_TOLERANCE_INCHES,
  );

/** The lines outside of a list's tables that a printed total needs, where it adds up those and the items of the tables. */
function neededByTotal(
  set: RecordSet,
  kept: readonly ReadMatch[],
  { notation }: DocumentContext["conventions"],
  countPrinted: CountPrinted,
): PrintedRecord[] {
  const areas = kept.flatMap(({ grid }) => grid.areas);
  const [inside, outside] = [true, false].map((wanted) => set.records.filter((one) => standsIn(areas, one) === wanted));
  if (inside === undefined || outside === undefined || set.evidence !== "printed total") return [];
  const amount = set.concepts?.indexOf("line-amount") ?? -1;
  const total = set.records.reduce((sum, { cells }) => {
    const cell = cells.get(amount);
    return sum + (cell?.value ?? scanNumbers(cell?.text ?? "", notation)[0]?.value ?? 0);
  }, 0);
  const items = kept.reduce((sum, one) => sum + one.items.length, 0);
  const isNeeded = inside.length === items && items > 0 && countPrinted(total) > 0;
  return isNeeded ? outside.filter(({ cells }) => !namesTax(cells.get(0)?.text ?? "")) : [];
}

/**
 * Items of all lists of objects of a schema: from the reader's tables, and from plain rows below a header where the reader
 * found no table or less of it. A list without a fitting table is empty.
 */
export function readLists(shape: Shape, context: DocumentContext): Map<Shape, ResultNode[]> {
  const lists = listsIn(shape);
  if (lists.length === 0) return new Map();
  const cents = lazily(() => printedCents(context));
  const countPrinted: CountPrinted = (amount) => cents().get(toCents(amount)) ?? 0;
  const readAll = (sets: readonly RecordSet[]): ReadMatch[] =>
    matchAll(sets.slice(0, MAX_GRIDS).map(withHalvesJoined).map(withoutPositions), lists, context).map((match) =>
      readMatch(match, countPrinted),
    );
  const tables = readAll(tableRecords(context.view));
  const keys = ownKeys(lists.flatMap((list) => wantedProperties(fieldsOf(list.item), context.conventions)));
  const rows = readAll(gridsOfRows(context, keys));
  const inPlace = (one: ReadMatch): ReadMatch[] => tables.filter(({ grid }) => overlap(one.grid, grid));
  const better = rows.filter((one) => inPlace(one).every((table) => showsMore(one, table)));
  const kept = tables.filter((table) => !better.some((one) => overlap(one.grid, table.grid)));
  const matches = [...kept, ...better].sort((a, b) => {
    const [[one = NO_AREA], [other = NO_AREA]] = [a.grid.areas, b.grid.areas];
    return one.page - other.page || one.top - other.top;
  });
  const summed = () => summedRecords(context.view, context.conventions.notation);
  const readSummed = lazily(() => readAll(summed()));
  const found = new Map<Shape, ResultNode[]>(
    lists.map((list) => {
      const kept = bestMatches(list, matches, countPrinted);
      const proven = kept.length === 0 ? [] : bestMatches(list, readSummed(), countPrinted);
      if (areBetter(proven, kept, countPrinted)) return [list, itemsOf(proven)];
      const needed = kept.length === 0 || kept.some(({ grid }) => grid.verbatim === true) ? [] : summed();
      const sets = needed.map((set) => ({
        ...set,
        records: neededByTotal(set, kept, context.conventions, countPrinted),
      }));
      const more = readAll(sets.filter(({ records }) => records.length > 0)).filter((match) => match.list === list);
      return [list, itemsOf([...kept, ...more])];
    }),
  );
  // Nothing heads the rows of a receipt: their sums prove them. Or the reader's tables are printed sideways.
  const empty = lists.filter((list) => found.get(list)?.length === 0);
  if (empty.length === 0) return found;
  const others = [readAll(turnedRecords(context.view)), readSummed()];
  for (const list of empty) {
    const [turned = [], rows = []] = others.map((matches) => itemsOf(bestMatches(list, matches, countPrinted)));
    found.set(list, rows.length > turned.length ? rows : turned);
  }
  return found;
}
