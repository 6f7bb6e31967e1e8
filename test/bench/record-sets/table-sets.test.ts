import { describe, expect, test } from "vitest";
import { gridOf, truthGrid } from "../../../bench/record-sets/grid.ts";
import { scorePage, shareOf } from "../../../bench/record-sets/score-page.ts";
import { loadTableSet, type TablePage, tableSetFaults, tableSetNames } from "../../../bench/record-sets/table-sets.ts";

describe.each(await tableSetNames())("the set %s", async (name) => {
  const set = await loadTableSet(name);

  test("has pages with whole hashes, and a closed grid for every table", () => {
    expect(tableSetFaults(set)).toEqual([]);
    expect(set.files.length).toBeGreaterThanOrEqual(20);
    const withText = set.files.filter(({ kind }) => kind === "text layer").length;
    expect(withText).toBeGreaterThanOrEqual(set.files.length / 2);
    expect(withText).toBeLessThanOrEqual((set.files.length * 2) / 3);
  });

  test("has truths that are right by their own measure", () => {
    for (const [page, { readings }] of Object.entries(set.truths)) {
      for (const tables of readings) {
        const own = tables.map((table) => gridOf(truthGrid(table).cells));
        const { cells, relations } = scorePage([tables.map(truthGrid)], own);
        expect([page, shareOf(cells).f1, shareOf(relations).f1]).toEqual([page, 1, 1]);
      }
    }
  });
});

describe("faults of a set", () => {
  const page: TablePage = {
    name: "one",
    language: "en",
    country: "US",
    kind: "scan",
    repository: "a/b",
    commit: "0".repeat(40),
    path: "a.png",
    licence: "MIT",
    sha256: "0".repeat(64),
  };
  const truthOf = (rows: (string | null | { text: string; colSpan: number })[][]) => ({
    one: { readings: [[{ ruled: true, headerRows: 0, rows }]] },
  });

  test("are none for a closed grid", () => {
    expect(
      tableSetFaults({
        files: [page],
        truths: truthOf([
          [{ text: "a", colSpan: 2 }, null],
          ["b", "c"],
        ]),
      }),
    ).toEqual([]);
  });

  test.each([
    ["rows of unequal length", truthOf([["a", "b"], ["c"]]), "row 1 has 1 positions, not 2"],
    ["a span beyond the table", truthOf([["a", { text: "b", colSpan: 2 }]]), "0/1 spans beyond the table"],
    ["a null without a span", truthOf([["a", null]]), "0/1 is null without a span, or a cell under one"],
    ["a page without truth", {}, "has no truth"],
  ])("name %s", (_name, truths, fault) => {
    expect(tableSetFaults({ files: [page], truths }).join("\n")).toContain(fault);
  });
});
