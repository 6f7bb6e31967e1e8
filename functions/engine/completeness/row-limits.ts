/** Limits of lists, and the missing rows that remain under them. */
import { isObject } from "../../ports/json.ts";
import type { StatedLimit } from "../extraction/answers/stated-limits.ts";
import { numbersIn, plainLimits, type RowLimit } from "../extraction/prompts/plain-limits.ts";
import { stepsOf } from "../schema/json-pointer.ts";
import type { ParsedSchema } from "../schema/parsed-schema.ts";
import type { CandidateRow } from "../structure/records/candidate-rows.ts";
import { foldText } from "../values/text-folding.ts";
import { type DataList, listName } from "./result-lists.ts";

const isOnPages = (page: number, ranges: readonly [number, number][], last: number): boolean =>
  ranges.some(([from, to]) => (from === -1 ? page === last : page >= from && page <= to));

/** The rows that are among the first `rows` of all. @param have indexes of the rows that are not missing, sorted */
function amongFirst(open: readonly CandidateRow[], have: readonly number[], rows: number): CandidateRow[] {
  let before = 0;
  return open.filter(({ order }, at) => {
    while ((have[before] ?? Number.POSITIVE_INFINITY) < order) before += 1;
    return at + before < rows;
  });
}

/**
 * The rows that are missing under a limit: those on its pages, as many as its count still lacks. Only a reader can
 * apply a criterion: under one, all rows are missing that the model does not reject.
 * @param open in the order of the document @param have indexes of the rows that the list has @param returned number of
 * its items
 * @param last number of the last page
 */
export function missingWithinLimit(
  { pages, count, criterion }: RowLimit,
  open: readonly CandidateRow[],
  { have, returned, last }: { have: readonly number[]; returned: number; last: number },
): CandidateRow[] {
  const own = pages === undefined ? [...open] : open.filter(({ page }) => isOnPages(page, pages, last));
  if (count === undefined || criterion) return own;
  const { rows, of } = count;
  const placed = [...have].sort((a, b) => a - b);
  if (of === "first") return amongFirst(own, placed, rows);
  if (of === "last") {
    const first = new Set(amongFirst(own, placed, own.length + placed.length - rows));
    return own.filter((row) => !first.has(row));
  }
  return own.slice(0, Math.max(0, rows - returned));
}

/** A quotation with fewer letters and digits may stand anywhere. */
const MIN_QUOTATION_CHARACTERS = 4;
const plain = (text: string): string =>
  foldText(text)
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

const isQuotation = (reason: string, texts: readonly string[]): boolean => {
  const quoted = plain(reason);
  return quoted.length >= MIN_QUOTATION_CHARACTERS && texts.some((text) => ` ${plain(text)} `.includes(` ${quoted} `));
};

/** The names that lead to a list, without positions; `result` is the wrapping of an answer. */
const namesTo = (pointer: string): string =>
  stepsOf(pointer.replace(/^[#$]/, "").replace(/^(?!\/|$)/, "/"))
    .filter((step) => !/^(?:\*|-|\d+)$/.test(step))
    .join("/");
const isOf = (list: DataList, { list: stated }: StatedLimit): boolean =>
  [namesTo(stated), namesTo(stated).replace(/^result(?:\/|$)/, "")].includes(namesTo(list.path));

/** The rows that a list has on the pages. */
export interface ListRows {
  /** Number of its items. */
  items: number;
  /** Pages of the rows that they stand on. */
  pages: readonly number[];
}

/**
 * A limit that a model states, checked: its reason must be a quotation, or it is none. Numbers must stand in the
 * quotation, and the rows must be as many, or on these pages: `at most 10 words` limits no list. Otherwise the limit is
 * a criterion, under which the model must reject each row.
 */
function checkedLimit(
  { reason, count, pages }: StatedLimit,
  texts: readonly string[],
  rows: ListRows,
  last: number,
): RowLimit | undefined {
  if (!isQuotation(reason, texts)) return undefined;
  const said = [reason];
  const numbers = numbersIn(reason);
  if (pages !== undefined) {
    const [from, to] = [pages[0], pages[1] ?? last];
    const isPrinted = numbers.has(from) && (pages[1] === null || numbers.has(to));
    const range: [number, number] = [from, to];
    if (isPrinted && from <= to && from <= last && rows.pages.every((page) => isOnPages(page, [range], last)))
      return { said, pages: [range] };
  } else if (count !== undefined && numbers.has(count) && rows.items === count)
    return { said, count: { rows: count, of: "some" } };
  return { said, criterion: true };
}

/** Joins the limits of a list: the larger of two counts, as too few rows must not pass for enough. */
function joinLimits(limits: readonly RowLimit[]): RowLimit {
  const joined: RowLimit = { said: [...new Set(limits.flatMap(({ said }) => said))] };
  for (const { count, pages, criterion } of limits) {
    if (count !== undefined && count.rows > (joined.count?.rows ?? 0)) joined.count = count;
    if (pages !== undefined) joined.pages = [...(joined.pages ?? []), ...pages];
    if (criterion) joined.criterion = true;
  }
  return joined;
}

/** The request's texts, and the limits that a model states. */
export interface LimitSources {
  schema?: ParsedSchema;
  prompt?: string;
  stated?: readonly StatedLimit[];
}

/**
 * The restrictions of a result's lists by the prompt, the schema's description and the lists' descriptions, as far as
 * plain words say them or a model states them.
 * @param last number of the last page
 */
export function limitsOfLists(
  lists: readonly DataList[],
  { schema, prompt = "", stated = [] }: LimitSources,
  rowsOf: (list: DataList) => ListRows,
  last: number,
): Map<DataList, RowLimit> {
  const root = schema?.json;
  const about = isObject(root) && typeof root.description === "string" ? [root.description] : [];
  return new Map(
    lists.flatMap((list): [DataList, RowLimit][] => {
      const texts = [prompt, ...about, list.shape?.description ?? ""];
      const own = stated.filter((one) => isOf(list, one));
      const checked = own.flatMap((one) => checkedLimit(one, texts, rowsOf(list), last) ?? []);
      const understood = plainLimits(listName(list), lists.map(listName), texts);
      // Plain words say more than a criterion that quotes them.
      const further = checked.filter(
        ({ said, criterion }) => !(criterion && understood.some((one) => isQuotation(said[0] ?? "", one.said))),
      );
      const limits = [...understood, ...further];
      return limits.length === 0 ? [] : [[list, joinLimits(limits)]];
    }),
  );
}

/** `maxItems` below the row count is a limit. @param open number of rows without an item */
export function schemaLimit({ shape, items }: DataList, open: number): RowLimit | undefined {
  const most = shape?.maxItems;
  if (most === undefined || items.length + open <= most) return undefined;
  return { said: [`At most ${most} items.`], count: { rows: most, of: "some" } };
}
