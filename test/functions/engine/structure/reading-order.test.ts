import { expect, it } from "vitest";
import type { PlacedLine } from "../../../../functions/engine/structure/line-rows.ts";
import { arrangeLines } from "../../../../functions/engine/structure/reading-order.ts";

interface Text extends PlacedLine {
  text: string;
}

/** In ems of 10 points: half an em a character. */
const at = (text: string, left: number, top: number, size = 10): Text => ({
  text,
  box: { left, top, right: left + text.length * 0.5 * size, bottom: top + 1.2 * size },
  size,
  baseline: top + size,
});

const arranged = (lines: readonly Text[]): string[] =>
  arrangeLines(lines).map((block) => block.map((line) => line.text).join("|"));

/** Rows of running text of a column, named by a letter. */
const column = (name: string, rows: number, left: number, top: number, step = 12): Text[] =>
  Array.from({ length: rows }, (_, row) => at(`${name}${row} is a line of running text here`, left, top + row * step));
const lettersOf = (blocks: readonly string[]): string => blocks.map((block) => block[0]).join("");

it("arrangeLines: reads columns one after the other, also three", () => {
  const two = [...column("a", 6, 0, 0), ...column("b", 6, 220, 0)];
  expect(lettersOf(arranged(two))).toBe("ab");
  const three = [...column("a", 6, 0, 0), ...column("b", 6, 220, 0), ...column("c", 6, 440, 0)];
  expect(lettersOf(arranged(three))).toBe("abc");
});

it("arrangeLines: keeps labels and values as rows", () => {
  const rows = ["Invoice number", "Invoice date", "Due date", "Reference"].flatMap((label, row) => [
    at(label, 0, row * 14),
    at(`value ${row}`, 150, row * 14),
  ]);
  expect(arranged(rows)[0]).toMatch(/^Invoice number\|value 0\|Invoice date\|value 1/);
});

const ASIDE = ["Contact", "Jane Doe", "12 Long Street", "Boston", "555-0100", "jane@example.org"];
/** Lines of a column that names fill, as far from each other as those of `column`. */
const names = (rows: number, left: number, size = 10): Text[] =>
  Array.from({ length: rows }, (_, row) => at(ASIDE[row % ASIDE.length] ?? "", left, row * 12 + (10 - size), size));

it("arrangeLines: reads a narrow column beside running text as a column, though its lines stand at the same heights", () => {
  const body = (left: number): Text[] =>
    column("b", 24, left, 0).map((line) => at(`${line.text} that fills the wide column`, left, line.box.top));
  // It ends early, or is set in smaller type; on the left or on the right.
  for (const [aside, rows] of [
    [names(6, 0), 6],
    [names(24, 0, 8), 24],
    [names(6, 500), 6],
    [names(24, 500, 8), 24],
  ] as const) {
    const isLeft = aside[0]?.box.left === 0;
    const blocks = arranged([...aside, ...body(100)]);
    const [own, other] = isLeft ? blocks : [blocks[1], blocks[0]];
    expect(own?.split("|")).toEqual(names(rows, 0).map((line) => line.text));
    expect(other?.split("|")).toHaveLength(24);
  }
});

it("arrangeLines: keeps a narrow column whole, though headings and gaps part the text beside it", () => {
  const BODY = "the first pumping station of the harbour, from the drawings to the bolts";
  const lines = (heading: number, left: number): Text[] => [
    at("Works", left, heading * 12),
    ...[1, 2, 3, 4, 5].map((line) => at(`b ${BODY}`, left, (heading + line) * 12)),
  ];
  const title = at("Jane Doe and her works", 100, -40, 16);
  const body = [0, 8, 16, 24].flatMap((heading) => lines(heading, 100));
  const aside = ["Contact", "12 Long Street", "Boston", "", "Skills", "Welding", "Pumps", "Planning", "Valves"]
    .map((text, row) => at(text, 0, row * 12))
    .filter(({ text }) => text !== "");
  const [first, ...others] = arranged([title, ...aside, ...body]);
  expect(first).toBe(title.text);
  expect(others.slice(0, 2)).toEqual(["Contact|12 Long Street|Boston", "Skills|Welding|Pumps|Planning|Valves"]);
  expect(others.slice(2).join("|")).toBe(body.map(({ text }) => text).join("|"));
  // Labels, each of what stands beside it, stay with it.
  const labelled = [0, 7, 14, 21].flatMap((top, number) => [at(`Label ${number}`, 0, top * 12), ...lines(top, 100)]);
  expect(arranged(labelled).map((block) => block.split("|").slice(0, 2))).toEqual(
    [0, 1, 2, 3].map((label) => [`Label ${label}`, "Works"]),
  );
});

it("arrangeLines: keeps labels, dates and line numbers with the text beside them", () => {
  const lines = (row: number): string =>
    ["Built pumps", "Sold valves of all sizes to the harbours of the land"][row % 2] ?? "";
  const rows = (label: (row: number) => Text): Text[] =>
    Array.from({ length: 12 }, (_, row) => [label(row), at(lines(row), 90, row * 12)]).flat();
  expect(arranged(rows((row) => at(`0${row}/2026`, 0, row * 12)))[0]).toMatch(/^00\/2026\|Built pumps\|01\/2026\|Sold/);
  expect(arranged(rows((row) => at(`Label ${row}`, 0, row * 12 + 1, 9)))[0]).toMatch(/^Label 0\|Built pumps\|Label 1/);
  const numbered = column("b", 24, 40, 0).flatMap((line, row) => [
    at(`${row + 1}`, 0, row * 12 + 2, 8),
    at(`${line.text} that fills the wide column`, 40, row * 12),
  ]);
  expect(arranged(numbered)[0]).toMatch(/^1\|b0 [^|]*\|2\|b1/);
});

it("arrangeLines: reads headings side by side with the columns below them", () => {
  const lines = [
    at("Alpha heads this", 0, 0, 16),
    at("Beta heads that", 230, 0, 16),
    ...column("a", 6, 0, 30, 12.5),
    ...column("b", 6, 230, 34, 13),
  ];
  expect(lettersOf(arranged(lines)).toLowerCase()).toBe("aabb");
});

it("arrangeLines: needs no wider gap beside a large heading at the height of the other column's text", () => {
  // The line beside the heading is the column's longest: the gutter is as narrow as it gets there.
  const left = column("a", 12, 0, 0).map((line, row) => (row === 3 ? at(`${line.text} to`, 0, line.box.top) : line));
  const edge = 11 + Math.max(...left.map((line) => line.box.right));
  const right = [...column("b", 3, edge, 0), at("Scope", edge, 28, 18), ...column("b", 8, edge, 48)];
  const blocks = arranged([...left, ...right]);
  expect(lettersOf(blocks)).toBe("ab");
  expect(blocks[1]?.split("|")[3]).toBe("Scope");
});

it("arrangeLines: ends columns at a line across, though the margin beside them continues", () => {
  const across = "Text that goes across both of the columns above it, and on to the edge of them";
  const lines = [
    at("A title that stands further left than all else", -90, -40),
    ...column("a", 6, 0, 0, 12),
    ...column("b", 6, 230, 5, 12.5),
    at(`x ${across}`, 0, 110),
    at(`y ${across}`, 0, 122),
    at("z A last line across", 0, 160),
  ];
  const blocks = arranged(lines);
  expect(lettersOf(blocks)).toBe("Aabxz");
  expect(blocks[1]).toMatch(/^a0[^b]*a5/);
});

it("arrangeLines: stays fast on hostile pages and keeps all of their thousands of lines", () => {
  let seed = 1;
  const next = (): number => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed / 2147483648;
  };
  const lines = Array.from({ length: 4000 }, (_, index) => at(`${index}`, next() * 600, next() * 800));
  const started = performance.now();
  expect(arrangeLines(lines).flat()).toHaveLength(4000);
  expect(performance.now() - started).toBeLessThan(5000);
});
