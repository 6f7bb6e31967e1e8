import { describe, expect, it } from "vitest";
import { compareReports } from "../../../client/eval/compare.ts";
import { judge } from "../../../client/eval/judge.ts";
import { markdownOf } from "../../../client/eval/markdown.ts";
import { type Evaluated, type Report, readReport, reportOf } from "../../../client/eval/report.ts";
import { differenceOf, leaveOneOut, scoresBy, shareOf, wilsonInterval } from "../../../client/eval/score.ts";
import { parseThreshold, shortfallsOf } from "../../../client/eval/thresholds.ts";
import type { Json, SourceLocations } from "../../../client/index.ts";

const round = ({ low, high }: { low: number; high: number }): number[] =>
  [low, high].map((one) => Math.round(one * 1e4) / 1e4);

const sources = (confidences: Record<string, number>): SourceLocations => ({
  version: 1,
  granularity: "word",
  pages: [],
  unresolved: [],
  locations: Object.fromEntries(
    Object.entries(confidences).map(([pointer, confidence]) => {
      const bbox = { left: 1, top: 2, right: 3.5, bottom: 2.25 };
      const pageAnchors = [{ pageNumber: 2, unit: "inch" as const, bbox, polygons: [] }];
      return [pointer, { resolution: "word" as const, sourceRefs: [], pageAnchors, confidence }];
    }),
  ),
});

const evaluated = (name: string, expected: Json, got: Json | undefined, more: Partial<Evaluated> = {}): Evaluated => ({
  name,
  group: null,
  guid: `guid-of-${name}`,
  status: "COMPLETED",
  error: null,
  engine: "offline",
  confidence: 0.9,
  seconds: 1,
  judgements: judge(expected, got),
  sources: null,
  ...more,
});

const report = (documents: Evaluated[], worst = 20): Report =>
  reportOf(documents, { set: "a set", service: "http://x", createdAt: "2026-01-31T10:00:00.000Z", worst });

describe("confidence intervals", () => {
  // R. Newcombe, Statistics in Medicine 17 (1998): 857–872, table I, method 3; and 873–890, table II, method 10.
  it.each([
    [81, 263, [0.2553, 0.3662]],
    [15, 148, [0.0624, 0.1605]],
    [0, 20, [0, 0.1611]],
    [1, 29, [0.0061, 0.1718]],
  ])("of a share: %i of %i", (hits, trials, expected) => expect(round(wilsonInterval(hits, trials))).toEqual(expected));

  it("of a share without trials span 0 to 1", () => expect(wilsonInterval(0, 0)).toEqual({ low: 0, high: 1 }));

  it.each([
    [
      [48, 80],
      [56, 70],
      [0.0524, 0.3339],
    ],
    [
      [3, 10],
      [9, 10],
      [0.1705, 0.809],
    ],
    [
      [0, 20],
      [10, 10],
      [0.6791, 1],
    ],
  ] as const)("of the difference between %o and %o", ([hits, of], [hitsAfter, ofAfter], expected) => {
    const difference = differenceOf(shareOf(hits, of), shareOf(hitsAfter, ofAfter));
    expect(difference && round(difference)).toEqual(expected);
  });

  it("of a difference without trials are null", () => expect(differenceOf(shareOf(0, 0), shareOf(1, 2))).toBeNull());

  it("leaveOneOut gives the range with one part left out", () => {
    const parts = [judge({ a: 1, b: 1 }, { a: 1, b: 1 }), judge({ a: 1 }, { a: 2 })];
    expect(leaveOneOut(parts, ({ recall }) => recall.share)).toEqual({ low: 0, high: 1 });
    expect(leaveOneOut(parts.slice(1), ({ recall }) => recall.share)).toBeNull();
  });

  it("scoresBy groups judgements", () => {
    const scores = scoresBy(judge({ b: 1, a: [1, 2] }, { b: 1, a: [1] }), ({ field }) => field);
    expect(Object.entries(scores).map(([field, { right, stated }]) => [field, right, stated])).toEqual([
      ["/a/*", 1, 2],
      ["/b", 1, 1],
    ]);
  });
});

describe("reportOf", () => {
  const documents = [
    evaluated(
      "one",
      { total: 1, due: "x" },
      { total: 2, due: null },
      { group: "de", sources: sources({ "/total": 0.99 }) },
    ),
    evaluated(
      "two",
      { total: 1, lines: [] },
      { total: 3, lines: [{ net: 4 }] },
      { group: "fr", sources: sources({ "/total": 0.2 }) },
    ),
    evaluated("three", { total: 1 }, undefined, {
      status: "FAILED",
      error: "Processing failed: Text | extraction failed",
    }),
  ];

  it("names the worst faults first: wrong with high confidence, then spurious, then missing, with their places", () => {
    const { worst } = report(documents);
    expect(worst.map(({ document, pointer, verdict }) => `${document} ${pointer} ${verdict}`)).toEqual([
      "one /total wrong",
      "two /total wrong",
      "two /lines/0/net spurious",
      "one /due missing",
      "three /total missing",
    ]);
    expect(worst[0]).toMatchObject({
      confidence: 0.99,
      gotAt: "/total",
      place: { pageNumber: 2, unit: "inch", bbox: { left: 1 } },
    });
    expect(report(documents, 2).worst).toHaveLength(2);
  });

  it("counts by field, group and status, and counts the values of a failed document as missing", () => {
    const made = report(documents);
    expect(made.statuses).toEqual({ COMPLETED: 2, FAILED: 1 });
    expect(Object.keys(made.groups)).toEqual(["de", "fr"]);
    expect(made.fields["/total"]).toMatchObject({ stated: 3, returned: 2, right: 0, missing: 1 });
    expect(made.total).toMatchObject({ stated: 4, returned: 3, spurious: 1 });
  });

  it("gives a report that readReport accepts, which accepts nothing else", () => {
    const made = report(documents);
    expect(readReport(JSON.parse(JSON.stringify(made)))).toEqual(made);
    for (const other of [null, [], {}, { version: 2 }, "x"]) expect(readReport(other)).toBeUndefined();
  });

  it("gives a report whose Markdown escapes any text", () => {
    const odd = evaluated("od|d_name", { "a|b": "x`y" }, { "a|b": "p|q\n**bold** `r`" });
    const text = markdownOf(report([...documents, odd]));
    expect(text).toContain("4 documents (3 COMPLETED, 1 FAILED), 5 values stated");
    expect(text).toContain("- three: FAILED, Processing failed: Text \\| extraction failed");
    expect(text).toContain("page 2, 1.00 2.00 – 3.50 2.25 in");
    const cells = (line: string): number => line.split(/(?<!\\)\|/).length;
    const rows = text.split("\n").filter((line) => line.startsWith("| "));
    expect(rows.filter((line) => line.includes("od\\|d_name"))).toHaveLength(1);
    for (const row of rows) expect([9, 10]).toContain(cells(row));
    expect(text).toContain("`\"p\\|q\\n**bold** 'r'\"`");
  });

  it("gives a report whose Markdown links saved pictures", () => {
    const made = report(documents);
    const [first] = made.worst;
    if (first !== undefined) first.picture = "out/a b.png";
    expect(markdownOf(made)).toContain("[page 2, 1.00 2.00 – 3.50 2.25 in](<out/a%20b.png>)");
  });
});

describe("compareReports", () => {
  const rows = (right: number, of: number) =>
    Array.from({ length: of }, (_, at) => evaluated(`d${at}`, { a: 1, b: 1 }, { a: at < right ? 1 : 2, b: 1 }));

  it("tells changes beyond the confidence interval from others", () => {
    const { changes } = compareReports(report(rows(10, 40)), report(rows(30, 40)));
    expect(changes.map(({ field, measure, verdict }) => `${field} ${measure} ${verdict}`)).toEqual([
      "null recall better",
      "null precision better",
      "/a recall better",
      "/a precision better",
    ]);
    const little = compareReports(report(rows(30, 40)), report(rows(28, 40)));
    expect(new Set(little.changes.map(({ verdict }) => verdict))).toEqual(new Set(["within"]));
    const back = compareReports(report(rows(30, 40)), report(rows(10, 40)));
    expect(back.changes.at(-1)?.verdict).toBe("worse");
    expect(markdownOf(report(rows(10, 40)), { comparison: back })).toContain("**worse**");
    expect(compareReports(report(rows(3, 4)), report(rows(3, 4))).changes).toEqual([]);
  });

  it("names the documents that changed, with their faults", () => {
    const before = [
      evaluated("same", { a: 1 }, { a: 2 }),
      evaluated("better", { a: 1, b: 1 }, { a: 2, b: 1 }),
      evaluated("other", { a: [1, 2] }, { a: [1, 2, 77] }),
      evaluated("gone", { a: 1 }, { a: 1 }),
    ];
    const after = [
      evaluated("same", { a: 1 }, { a: 3 }),
      evaluated("better", { a: 1, b: 1 }, { a: 1, b: 1 }, { status: "PARTIAL" }),
      evaluated("other", { a: [1, 2] }, { a: [77, 1] }),
      evaluated("new", { a: 1 }, { a: 1 }),
    ];
    const comparison = compareReports(report(before), report(after));
    expect(comparison).toMatchObject({ added: ["new"], removed: ["gone"] });
    const named = comparison.documents.map(({ name, before: was, after: is, mended, broken }) => [
      `${name} ${was} ${is}`,
      mended.map(({ pointer }) => pointer),
      broken.map(({ pointer }) => pointer),
    ]);
    expect(named).toEqual([
      ["better COMPLETED PARTIAL", ["/a"], []],
      ["other COMPLETED COMPLETED", [], ["/a/1"]],
    ]);
    const text = markdownOf(report(after), { comparison });
    expect(text).toContain("- better, COMPLETED → PARTIAL\n  - mended: `/a`, expected `1`, got `2`");
    expect(text).toContain("Only in the older one: gone");
  });
});

describe("parseThreshold and shortfallsOf", () => {
  it.each([
    ["recall=0.9", { field: null, measure: "recall", least: 0.9 }],
    ["/lines/*/net:exact=.5", { field: "/lines/*/net", measure: "exact", least: 0.5 }],
    ["/a:b:precision=1", { field: "/a:b", measure: "precision", least: 1 }],
  ])("accept %s", (text, expected) => expect(parseThreshold(text)).toEqual(expected));

  it.each(["recall", "recall=2", "total:recall=0.5", "speed=0.5", "recall=90%", ""])("refuse %j", (text) =>
    expect(parseThreshold(text)).toBeUndefined(),
  );

  it("report a threshold above the score, and one without a measurement", () => {
    const made = report([evaluated("one", { a: 1, b: 1 }, { a: 1, b: 2 })]);
    const all = ["recall=0.5", "recall=0.6", "/a:recall=1", "/b:precision=0.1", "/c:recall=0", "/b:fuzzy=0"];
    const shortfalls = shortfallsOf(
      made,
      all.flatMap((text) => parseThreshold(text) ?? []),
    );
    expect(shortfalls.map(({ field, reached }) => [field, reached])).toEqual([
      [null, 0.5],
      ["/b", 0],
      ["/c", null],
    ]);
    expect(markdownOf(made, { shortfalls })).toContain("- `/c`: recall has nothing to measure, 0 is asked for");
  });
});
