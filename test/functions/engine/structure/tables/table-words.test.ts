import { describe, expect, it } from "vitest";
import { findTables } from "../../../../../functions/engine/structure/tables/find-tables.ts";
import type { TableLine } from "../../../../../functions/engine/structure/tables/table-parts.ts";
import { at, band, drawn, level, upright } from "../../../../support/table-lines.ts";

/** The same numbers every time, from 0 up to 1 (mulberry32). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A page of anything: columns, rows, sentences and strays, rules and bands that may belong to them or not. */
function makePage(seed: number) {
  const random = generator(seed);
  const pick = (count: number): number => Math.floor(random() * count);
  const lines: TableLine[] = [];
  let serial = 0;
  const word = (): string => {
    serial += 1;
    return random() < 0.5 ? `${serial}.00` : `w${serial}`;
  };
  const text = (most: number): string => Array.from({ length: 1 + pick(most) }, word).join(" ");
  const columns = Array.from({ length: 1 + pick(6) }, (_, index) => 40 + index * (60 + pick(40)));
  let y = 60;
  while (y < 740) {
    const set = { size: 8 + pick(5), bold: random() < 0.2 };
    const kind = random();
    if (kind < 0.6) for (const x of columns) if (random() < 0.85) lines.push(at(text(2), x, y, set));
    if (kind >= 0.6 && kind < 0.8) lines.push(at(text(9), 40 + pick(200), y, set));
    if (kind >= 0.8) lines.push(at(text(3), pick(500), y, { ...set, align: "right" }));
    y += 8 + pick(20);
  }
  const rules = (count: number) => Array.from({ length: count }, () => [pick(600), pick(600), 20 + pick(500)] as const);
  const grid = random() < 0.5 ? columns.map((x) => upright(x - 4, 56, 700)) : [];
  return {
    lines,
    drawing: drawn({
      horizontal: [
        ...rules(pick(12)).map(([a, b, c]) => level(a, b, b + c)),
        ...(grid.length > 0 ? [56, 300, 500, 700].map((one) => level(one, 36, 600)) : []),
      ],
      vertical: [...grid, ...rules(pick(6)).map(([a, b, c]) => upright(a, b, b + c))],
      fills: rules(pick(10)).map(([a, b, c]) => band(a, b, a + c, b + 14)),
    }),
  };
}

describe("findTables, for any page", () => {
  it("puts each word into a cell or outside, once; cells lie in their table and cover each place once", () => {
    let found = 0;
    for (let seed = 1; seed <= 300; seed += 1) {
      const { lines, drawing } = makePage(seed);
      const { tables, rest } = findTables(lines, drawing);
      const kept = tables.flatMap((table) => table.cells.flatMap((cell) => cell.lines));
      const words = [...kept, ...rest].flatMap((line) => line.words);
      expect(new Set(words).size, `page ${seed}`).toBe(words.length);
      expect(new Set(words), `page ${seed}`).toEqual(new Set(lines.flatMap((line) => line.words)));
      for (const table of tables) {
        found += 1;
        const places = table.cells.flatMap(({ row, column, rowSpan, columnSpan }) =>
          Array.from(
            { length: rowSpan * columnSpan },
            (_, index) => `${row + Math.floor(index / columnSpan)}/${column + (index % columnSpan)}`,
          ),
        );
        expect(new Set(places).size, `page ${seed}`).toBe(places.length);
        for (const { row, column, rowSpan, columnSpan } of table.cells) {
          expect(row + rowSpan, `page ${seed}`).toBeLessThanOrEqual(table.rows);
          expect(column + columnSpan, `page ${seed}`).toBeLessThanOrEqual(table.columns);
        }
        expect(table.headerRows).toBeLessThan(table.rows);
        const order = table.cells.map((cell) => cell.row * 1_000 + cell.column);
        expect(order).toEqual([...order].sort((a, b) => a - b));
      }
    }
    expect(found).toBeGreaterThan(50);
  });

  it("gives the same tables for the same page", () => {
    const { lines, drawing } = makePage(7);
    expect(findTables(lines, drawing)).toEqual(findTables(lines, drawing));
  });
});
