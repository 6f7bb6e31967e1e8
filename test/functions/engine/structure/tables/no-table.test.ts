import { describe, expect, it } from "vitest";
import type { TableLine } from "../../../../../functions/engine/structure/tables/table-parts.ts";
import { tablesIn } from "../../../../support/aligned-rows.ts";
import { at, rowsAt } from "../../../../support/table-lines.ts";

const SENTENCES = [
  "the quick brown fox jumps over the lazy",
  "dog and runs through the wood until night",
  "falls over the hills and nobody can see",
  "where it went or why it ever came here",
  "in the first place which is a pity since",
  "foxes are rare in these parts of the land",
];

describe("findTables finds no table in", () => {
  it.each<[string, TableLine[]]>([
    [
      "running text in two columns",
      rowsAt(
        [...SENTENCES, ...SENTENCES].map((text) => [text, text]),
        [50, 320],
        100,
        { pitch: 12 },
      ),
    ],
    [
      "running text with a number now and then",
      rowsAt(
        SENTENCES.map((text, index) => [`${index} ${text}`, `${text} ${index}`]),
        [50, 330],
        100,
        { pitch: 12 },
      ),
    ],
    [
      "labels and their values",
      rowsAt(
        [
          ["Date:", "01.02.2024"],
          ["Number:", "4711"],
          ["Customer:", "0815"],
          ["Due:", "01.03.2024"],
        ],
        [50, 150],
        100,
      ),
    ],
    [
      "two columns of labels and values",
      rowsAt(
        [
          ["Date:", "01.02.2024", "Page:", "1"],
          ["Number:", "4711", "Copy:", "2"],
          ["Order:", "12", "Box:", "3"],
        ],
        [50, 150, 300, 400],
        100,
      ),
    ],
    [
      "labels without colons",
      rowsAt(
        [
          ["Invoice number", "4711"],
          ["Customer number", "0815"],
          ["Order number", "12"],
        ],
        [50, 250],
        100,
      ),
    ],
    [
      "addresses side by side",
      [
        ...rowsAt([["Bill to", "Ship to", "Service"]], [50, 200, 350], 100, { bold: true }),
        ...rowsAt(
          [
            ["Anna Berg", "Ben Cole", "Cleo Dorn"],
            ["12 Mill Road", "7 Hill Street", "99 Lake Lane"],
            ["Bath BA1 2XY", "York YO1 7AA", "Hull HU1 3ZZ"],
          ],
          [50, 200, 350],
          112,
          { pitch: 12 },
        ),
      ],
    ],
    [
      "contents with leaders",
      SENTENCES.flatMap((text, index) => [
        at(text.slice(0, 20), 50, 100 + 14 * index),
        at(".".repeat(40), 160, 100 + 14 * index),
        at(String(index * 7 + 1), 400, 100 + 14 * index, { align: "right" }),
      ]),
    ],
    [
      "choices",
      rowsAt(
        SENTENCES.slice(0, 4).map((_, index) => [`Question ${index + 1}`, "☐ Yes", "☐ No"]),
        [50, 250, 350],
        100,
      ),
    ],
    [
      "code",
      ["const total = sum(lines)", "  if (total > 10) {", "    return total", "  }", "return 0"].map((text, index) =>
        at(text, 50, 100 + 12 * index),
      ),
    ],
    [
      "places for signatures",
      rowsAt(
        [
          ["Place, date", "Signature", "Stamp"],
          ["Berlin", "", ""],
          ["(seller)", "(buyer)", "(bank)"],
        ],
        [50, 200, 350],
        100,
      ),
    ],
  ])("%s", (_, lines) => {
    expect(tablesIn(lines)).toEqual([]);
  });
});
