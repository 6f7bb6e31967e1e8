import { expect, it } from "vitest";
import { arrangeLines, type Placed } from "../../../../functions/core/documents/arrange.ts";

interface Text extends Placed {
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

it("columns one after the other, also three", () => {
  const two = [...column("a", 6, 0, 0), ...column("b", 6, 220, 0)];
  expect(lettersOf(arranged(two))).toBe("ab");
  const three = [...column("a", 6, 0, 0), ...column("b", 6, 220, 0), ...column("c", 6, 440, 0)];
  expect(lettersOf(arranged(three))).toBe("abc");
});

it("labels and values stay rows", () => {
  const rows = ["Invoice number", "Invoice date", "Due date", "Reference"].flatMap((label, row) => [
    at(label, 0, row * 14),
    at(`value ${row}`, 150, row * 14),
  ]);
  expect(arranged(rows)[0]).toMatch(/^Invoice number\|value 0\|Invoice date\|value 1/);
});

it("headings side by side go with the columns below them", () => {
  const lines = [
    at("Alpha heads this", 0, 0, 16),
    at("Beta heads that", 230, 0, 16),
    ...column("a", 6, 0, 30, 12.5),
    ...column("b", 6, 230, 34, 13),
  ];
  expect(lettersOf(arranged(lines)).toLowerCase()).toBe("aabb");
});

it("columns end where a line goes across, though the margin beside them goes on", () => {
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

it("hostile pages end in time: thousands of lines anywhere, all of them kept", () => {
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
