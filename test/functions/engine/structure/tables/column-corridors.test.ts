import { describe, expect, it } from "vitest";
import { lineText } from "../../../../../functions/engine/layout/page-words.ts";
import { tableBlocks } from "../../../../../functions/engine/structure/tables/find-tables.ts";
import type { Line, Word } from "../../../../../functions/ports/layout.ts";

/** Advance of monospaced type of ten points, in inches. */
const ADVANCE = 0.083;
const PITCH = 0.18;

/** Lines of monospaced type as recognition gives them: cut at gaps of at least `cut` spaces. */
function typed(rows: readonly string[], cut: number): Line[] {
  return rows.flatMap((row, at) => {
    const words = [...row.matchAll(/\S+/gu)].map((match): Word => {
      const box = { left: 1 + match.index * ADVANCE, top: 1 + at * PITCH, right: 0, bottom: 1.1 + at * PITCH };
      return {
        text: match[0],
        box: { ...box, right: box.left + (match[0].length - 0.2) * ADVANCE },
        confidence: 0.9,
        source: "ocr",
        fontSize: 10,
      };
    });
    const lines: Line[] = [];
    for (const word of words) {
      const last = lines.at(-1);
      const isNear = last !== undefined && word.box.left - last.box.right < cut * ADVANCE;
      if (isNear) {
        last.words.push(word);
        last.box = { ...last.box, right: word.box.right };
      } else lines.push({ box: { ...word.box }, words: [word] });
    }
    return lines;
  });
}

const rowsOf = (lines: readonly Line[]): string[][][] =>
  tableBlocks(lines).tables.map(({ rows, cells }) =>
    Array.from({ length: rows }, (_, row) =>
      cells.flatMap((cell) => (cell.row === row ? [cell.lines.map(lineText).join(" ")] : [])),
    ),
  );

const YIELDS = [
  "Variety        TWT   KW    PRO   HT",
  "Mexicali      62.1  61.7  12.0   56",
  "Modoc         64.4  53.8  12.4   55",
  "Aldura        64.0  58.5  12.7   9",
  "Creso         64.5  58.1  12.0   61",
  "Germains      63.6  64.5  11.1   48",
  "Fieldwin      65.1  64.1  12.0   54",
];

describe("columns of recognised figures", () => {
  it.each([2, 3, 4])("are told by the white space down all rows, wherever lines were cut (%i spaces)", (cut) => {
    expect(rowsOf(typed(YIELDS, cut))).toEqual([YIELDS.map((row) => row.split(/\s+/u))]);
  });

  it("keep a remark in brackets with its figure, though recognition loses a bracket", () => {
    const rows = YIELDS.map((row, at) =>
      at === 0 ? `${row}   LODG` : `${row.padEnd(37)}2${at} ${at === 3 ? " 4)" : "(1)"}`,
    );
    const [table] = rowsOf(typed(rows, 2));
    expect(table?.map((row) => row.at(-1))).toEqual([
      "LODG",
      "21 (1)",
      "22 (1)",
      "23 4)",
      "24 (1)",
      "25 (1)",
      "26 (1)",
    ]);
  });

  it("are those of a later row where words of the first rows ran together", () => {
    const rows = ["Variety        TWT_KW      PRO   HT", "Mexicali      62.1_61.7  12.0   56", ...YIELDS.slice(2)];
    const [table] = rowsOf(typed(rows, 2));
    expect(table?.slice(1, 3)).toEqual([
      ["Mexicali", "62.1_61.7", "12.0", "56"],
      ["Modoc", "64.4", "53.8", "12.4", "55"],
    ]);
  });

  it("have headings of two lines, though their values are wider on one side", () => {
    const rows = [
      "                    Lot       Plant",
      "Name        Mfr     No        HT",
      ...["Mexicali", "Modoc", "Aldura", "Creso", "Germains"].map(
        (name, at) => `${name.padEnd(13)}${at}   7078-649343${at}   5${at}`,
      ),
    ];
    expect(rowsOf(typed(rows, 2))[0]?.[0]).toEqual(["Name", "Mfr", "Lot No", "Plant HT"]);
  });

  it("do not cut running text", () => {
    const lines = typed(
      [
        "The yields of the tests are those of the farms in the",
        "south and in the east of the state, where barley is in",
        "the field from autumn to summer. All of them were sown",
        "by hand and cut in May, but for the plots of one of the",
        "farms. Two of the tests were lost to frost in the first",
        "week of March, and none of the figures is one of theirs.",
      ],
      3,
    );
    expect(tableBlocks(lines)).toEqual({ tables: [], rest: lines });
  });
});
