/** Records printed as cards: the same labels repeat, one per line, with other values behind them. */
import { labelKey } from "../../values/label-words.ts";
import { type CandidateRow, type CandidateRows, joinRows, type RowJoin } from "./candidate-rows.ts";

/** `Customer: Kestrel Works` */
const LABEL_AT_START = /^(\p{L}[^:]{0,39}?)\s*:(?:\s|$)/u;
/** Minimum cards of a group, and minimum labels of a card. */
const MIN_CARDS = 3;
const MIN_CARD_LABELS = 2;
/** Continuation lines between two labelled lines of one card. */
const MAX_LINES_BETWEEN_LABELS = 2;

interface LabelledLine {
  row: CandidateRow;
  label: string;
  key: string;
}

export interface CardGroup {
  rows: CandidateRow[];
  /** Labels in the order of the longest card. */
  headings: string[];
}

/** Lines that begin with a label that repeats in the document. */
function labelledLines(rows: readonly CandidateRow[], isFree: (row: CandidateRow) => boolean): LabelledLine[] {
  const lines = rows.flatMap((row): LabelledLine[] => {
    if (!isFree(row)) return [];
    const label = LABEL_AT_START.exec(row.cells.map(({ text }) => text).join(" "))?.[1];
    const key = label === undefined ? "" : labelKey(label);
    return label === undefined || key === "" ? [] : [{ row, label, key }];
  });
  const counts = new Map<string, number>();
  for (const { key } of lines) counts.set(key, (counts.get(key) ?? 0) + 1);
  return lines.filter(({ key }) => (counts.get(key) ?? 0) >= MIN_CARDS);
}

/** Splits lines into cards: a card ends where one of its labels repeats, or other lines intervene. */
function splitIntoCards(lines: readonly LabelledLine[]): LabelledLine[][] {
  const cards: LabelledLine[][] = [];
  for (const line of lines) {
    const card = cards.at(-1);
    const last = card?.at(-1)?.row;
    const goesOn =
      last !== undefined &&
      line.row.page - last.page <= 1 &&
      line.row.order - last.order <= MAX_LINES_BETWEEN_LABELS + 1 &&
      card?.every(({ key }) => key !== line.key) === true;
    if (goesOn) card?.push(line);
    else cards.push([line]);
  }
  return cards.filter(({ length }) => length >= MIN_CARD_LABELS);
}

/**
 * Finds cards and merges the lines of each into one row.
 * @param isFree whether a line belongs to nothing else yet
 * @returns the rows with each card merged into one; and the cards grouped by their first label
 */
export function joinCards(
  candidates: CandidateRows,
  isFree: (row: CandidateRow) => boolean,
): { candidates: CandidateRows; groups: CardGroup[] } {
  const cards = splitIntoCards(labelledLines(candidates.all, isFree));
  const kinds = [...Map.groupBy(cards, ([first]) => first?.key ?? "").values()].filter(
    ({ length }) => length >= MIN_CARDS,
  );
  const joins = kinds.flat().flatMap((card): RowJoin[] => {
    const [first, last] = [card[0]?.row.order, card.at(-1)?.row.order];
    return first === undefined || last === undefined
      ? []
      : [{ into: first, from: candidates.all.slice(first + 1, last + 1) }];
  });
  const joined = joins.length === 0 ? candidates : joinRows(candidates, joins);
  const groups = kinds.map((own): CardGroup => {
    const longest = own.reduce((most, card) => (card.length > most.length ? card : most));
    const rows = own.flatMap(([first]) => joined.all[first?.row.order ?? -1] ?? []);
    return { rows, headings: longest.map(({ label }) => label) };
  });
  return { candidates: joined, groups };
}
