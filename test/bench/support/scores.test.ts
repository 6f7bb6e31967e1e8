import { describe, expect, it } from "vitest";
import { type MeasuredValue, scoreLines, spreadLine, worstLines } from "../../../bench/support/scores.ts";
import { judge } from "../../../client/eval/judge.ts";
import type { Json } from "../../../client/index.ts";

const measured = (
  document: string,
  language: string,
  expected: Json,
  got: Json,
): (MeasuredValue & { language: string })[] =>
  judge(expected, got).map((judgement) => ({ ...judgement, document, language }));

const all = [
  ...measured("a.pdf", "de", { total: 1, due: "x" }, { total: 1, due: null }),
  ...measured("b.pdf", "fr", { total: 2 }, { total: 3 }),
];

describe("the scores of a bench", () => {
  it("form a table by field, by the other divisions, and of all", () => {
    expect(scoreLines("Title", all, { language: ({ language }) => language })).toEqual([
      "Title",
      "                 recall        95 %          precision     95 %          right/returned/stated",
      "/due             0.000         0.000–0.793   –             –             0/0/1",
      "/total           0.500         0.095–0.905   0.500         0.095–0.905   1/2/2",
      "language de      0.500         0.095–0.905   1.000         0.207–1.000   1/1/2",
      "language fr      0.000         0.000–0.793   0.000         0.000–0.793   0/1/1",
      "all              0.333         0.061–0.792   0.500         0.095–0.905   1/2/3",
    ]);
  });

  it("give the influence of one document, and list wrong values before missing ones", () => {
    expect(spreadLine(all)).toBe("any one document left out: recall 0.000 to 0.500, precision 0.000 to 1.000");
    expect(spreadLine(all.slice(2))).toBe("any one document left out: recall –, precision –");
    expect(worstLines(all, 5)).toEqual(["  b.pdf  /total  2  3", '  a.pdf  /due  "x"  null']);
  });
});
