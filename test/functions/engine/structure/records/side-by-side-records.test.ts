import { describe, expect, it } from "vitest";
import { recordTexts } from "../../../../../functions/engine/structure/records/record-set.ts";
import {
  turnedRecords,
  withHalvesJoined,
} from "../../../../../functions/engine/structure/records/side-by-side-records.ts";
import { viewDocument } from "../../../../../functions/engine/structure/view/document-view.ts";
import { setLayout, setTable } from "../../../../support/typeset.ts";

/** Records that stand in the columns of tables, without header rows, below each other. */
const turned = (rows: readonly string[][]): { headings: string[]; records: string[][] }[] =>
  turnedRecords(viewDocument(setLayout([setTable(rows, 0)])))
    .map(withHalvesJoined)
    .map(({ headings, records }) => ({ headings, records: records.map(recordTexts) }));

describe("turnedRecords", () => {
  it("reads fields named down the first column, however often they repeat below", () => {
    const block = (at: number): string[][] => [
      ["Article", `Pump ${at}`, `Valve ${at}`],
      ["Quantity", `${at}`, `${at + 100}`],
      ["Amount", `${at}.50`, `${at + 100}.50`],
    ];
    const blocks = Array.from({ length: 12 }, (_, at) => block(at + 1));
    const [set, ...others] = turned(blocks.flat());
    expect(others).toEqual([]);
    expect(set?.headings).toEqual(["Article", "Quantity", "Amount"]);
    expect(set?.records).toHaveLength(24);
    expect(set?.records).toContainEqual(["Valve 12", "112", "112.50"]);
  });

  it("takes no table of many different rows for records in its columns", () => {
    const rows = Array.from({ length: 31 }, (_, at) => [
      `Article ${String.fromCharCode(65 + (at % 26))}${at}`,
      `${at}`,
    ]);
    expect(turned(rows)).toEqual([]);
  });
});
