/** Records that are printed as cards: the same labels one below the other, again and again, with other values behind them. */
import { labelKey } from "../values/text-folding.ts";
import { type Joined, joinUnits, type Unit, type Units } from "./candidate-rows.ts";

/** `Customer: Kestrel Works` */
const LABELLED = /^(\p{L}[^:]{0,39}?)\s*:(?:\s|$)/u;
/** Cards that make a set, and labels of one. */
const FEWEST = 3;
const FEWEST_LABELS = 2;
/** Lines between two labelled lines of one card: what goes on from the first. */
const BETWEEN = 2;

interface Line {
  unit: Unit;
  label: string;
  key: string;
}

export interface CardGroup {
  units: Unit[];
  /** Labels in the order in which most cards have them. */
  heads: string[];
}

/** Lines that begin with a label which others begin with too. */
function labelledLines(units: readonly Unit[], isFree: (unit: Unit) => boolean): Line[] {
  const lines = units.flatMap((unit): Line[] => {
    if (!isFree(unit)) return [];
    const label = LABELLED.exec(unit.cells.map(({ text }) => text).join(" "))?.[1];
    const key = label === undefined ? "" : labelKey(label);
    return label === undefined || key === "" ? [] : [{ unit, label, key }];
  });
  const counts = new Map<string, number>();
  for (const { key } of lines) counts.set(key, (counts.get(key) ?? 0) + 1);
  return lines.filter(({ key }) => (counts.get(key) ?? 0) >= FEWEST);
}

/** A card ends where one of its labels comes again, or other lines stand between. */
function cardsOf(lines: readonly Line[]): Line[][] {
  const cards: Line[][] = [];
  for (const line of lines) {
    const card = cards.at(-1);
    const last = card?.at(-1)?.unit;
    const goesOn =
      last !== undefined &&
      line.unit.page - last.page <= 1 &&
      line.unit.order - last.order <= BETWEEN + 1 &&
      card?.every(({ key }) => key !== line.key) === true;
    if (goesOn) card?.push(line);
    else cards.push([line]);
  }
  return cards.filter(({ length }) => length >= FEWEST_LABELS);
}

/**
 * Finds them.
 * @param isFree whether a line belongs to nothing else yet
 * @returns the units, in which a card is one row; and cards that begin with the same label
 */
export function joinCards(units: Units, isFree: (unit: Unit) => boolean): { units: Units; groups: CardGroup[] } {
  const cards = cardsOf(labelledLines(units.all, isFree));
  const kinds = [...Map.groupBy(cards, ([first]) => first?.key ?? "").values()].filter(
    ({ length }) => length >= FEWEST,
  );
  const joins = kinds.flat().flatMap((card): Joined[] => {
    const [first, last] = [card[0]?.unit.order, card.at(-1)?.unit.order];
    return first === undefined || last === undefined
      ? []
      : [{ into: first, from: units.all.slice(first + 1, last + 1) }];
  });
  const joined = joins.length === 0 ? units : joinUnits(units, joins);
  const groups = kinds.map((own): CardGroup => {
    const longest = own.reduce((most, card) => (card.length > most.length ? card : most));
    const rows = own.flatMap(([first]) => joined.all[first?.unit.order ?? -1] ?? []);
    return { units: rows, heads: longest.map(({ label }) => label) };
  });
  return { units: joined, groups };
}
