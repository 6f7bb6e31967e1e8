import { describe, expect, it } from "vitest";
import { AppError } from "../../../../../functions/ports/errors.ts";
import { elementOrderFaults } from "../../../../support/word-order.ts";
import { cell, control, fill, p, partOf, row, t, table } from "../../../../support/word-template.ts";

/** Numbers that look random and are the same in each run (Mulberry32). */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const PIECES = ["text ", "{a}", "{#s}", "{/s}", "{#t}", "{/t}", "{^s}", "{/}", "{.}", "{b | markdown}", ""] as const;
const LIST = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>';

/** A body of paragraphs, lists, tables and controls with tags anywhere; sections are often whole. */
function randomBody(next: (below: number) => number, depth = 0): string {
  const text = (): string => {
    const pieces = Array.from({ length: 1 + next(3) }, () => PIECES[next(PIECES.length)] ?? "");
    const whole = next(3) > 0 ? `{#s}${pieces.filter((one) => !/[#^/]/u.test(one)).join("")}{/s}` : pieces.join("");
    // A tag is split over runs now and then.
    const at = next(whole.length + 1);
    return `${t(whole.slice(0, at), "<w:b/>")}${t(whole.slice(at))}`;
  };
  const blocks = Array.from({ length: 1 + next(4) }, () => {
    const kind = next(7);
    if (kind === 0 && depth < 2) return table(2, row(cell(`${randomBody(next, depth + 1)}${p("")}`), cell(p(text()))));
    if (kind === 1) return table(1, row(cell(p(text()))), row("x"));
    if (kind === 2) return table(2, row("{#s}{a}", "{/s}"), row("{^s}", "none{/s}"));
    if (kind === 3) return p(text(), LIST);
    if (kind === 4) return control('<w:tag w:val="c"/>', p(text()));
    if (kind === 5) return `${p("{#t}")}${p(text())}${p("{/t}")}`;
    return p(text());
  });
  return blocks.join("");
}

const VALUES = [
  {},
  { a: "A", b: "**B**\n\n- one", s: [{ a: 1 }, { a: 2 }], t: true, c: "C" },
  { a: "A", b: "x", s: [], t: [1, 2, 3] },
  { s: { a: "in" }, t: "", c: null },
];

describe("a Word template of tags anywhere", () => {
  it("is filled with sound XML, or refused with a sentence", async () => {
    const next = randomNumbers(20_261_123);
    let [filled, refused] = [0, 0];
    for (let round = 0; round < 400; round += 1) {
      const body = randomBody(next);
      const fields = VALUES[round % VALUES.length] ?? {};
      try {
        const { bytes } = await fill({ body }, fields, { ignoreUnknown: true });
        const xml = partOf(bytes);
        expect(elementOrderFaults(xml), body).toEqual([]);
        expect(xml.replaceAll(/<[^>]*>/gu, ""), body).not.toMatch(/[{}]|undefined|\[object/u);
        filled += 1;
      } catch (error) {
        expect(error, body).toBeInstanceOf(AppError);
        refused += 1;
      }
    }
    expect(filled).toBeGreaterThan(100);
    expect(refused).toBeGreaterThan(50);
  });
});
