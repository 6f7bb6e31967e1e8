import { describe, expect, it } from "vitest";
import { relationshipsOf } from "../../../../../functions/engine/templates/office/part-relationships.ts";
import {
  openTemplatePackage,
  type TemplatePackage,
} from "../../../../../functions/engine/templates/office/template-package.ts";
import { describePowerPoint } from "../../../../../functions/engine/templates/powerpoint/powerpoint-template.ts";
import { chartFrame, chartParts, fillDeck, slideTexts, textBox } from "../../../../support/deck-template.ts";
import { cellsOf, type SheetInput } from "../../../../support/excel-workbook.ts";
import { presentation } from "../../../../support/office-parts.ts";

const deck = (
  cells: SheetInput["cells"],
  ranges: readonly [string, string],
  texts: readonly string[] = [],
): Uint8Array =>
  presentation(
    [
      { shapes: textBox("Cover") },
      {
        shapes: texts.map((text) => textBox(text)).join("") + chartFrame("chart"),
        relationships: { chart: ["chart", "../charts/chart1.xml"] },
      },
    ],
    "",
    "",
    "",
    chartParts(cells, ranges),
  );

const chartsOf = (office: TemplatePackage) =>
  relationshipsOf(office, "ppt/presentation.xml")
    .filter(({ type }) => type.endsWith("/slide"))
    .flatMap(({ target }) => relationshipsOf(office, target).filter(({ type }) => type.endsWith("/chart")))
    .map(({ target }) => {
      const xml = new TextDecoder().decode(office.read(target));
      const [book] = relationshipsOf(office, target).filter(({ type }) => type.endsWith("/package"));
      return {
        ranges: [...xml.matchAll(/<c:f>([^<]*)</g)].map(([, text]) => text),
        caches: [...xml.matchAll(/<c:(?:num|str)Cache>(.*?)<\/c:(?:num|str)Cache>/g)].map(([, cache = ""]) =>
          [...cache.matchAll(/<c:v>([^<]*)</g)].map(([, text]) => text),
        ),
        cells: cellsOf(office.read(book?.target ?? "") ?? new Uint8Array()),
      };
    });

describe("a chart", () => {
  it("shows the numbers that tags of its workbook stand for", async () => {
    const cells = { A2: "North", B2: "{{sales.north}}", A3: "South", B3: "{{sales.south}}", B1: "{{year}}" };
    const bytes = deck(cells, ["Sheet1!$A$2:$A$3", "Sheet1!$B$2:$B$3"]);
    expect((await describePowerPoint(bytes)).fields.map(({ name }) => name).sort()).toEqual([
      "sales.north",
      "sales.south",
      "year",
    ]);
    const { bytes: filled } = await fillDeck(bytes, { sales: { north: 12.5, south: 30 }, year: "2026" });
    const [chart] = chartsOf(openTemplatePackage(filled));
    expect(chart?.cells).toMatchObject({ B2: 12.5, B3: 30, B1: "2026" });
    expect(chart?.caches).toEqual([
      ["North", "South"],
      ["12.5", "30"],
    ]);
  });

  it("grows with the rows of its workbook", async () => {
    const cells = { A1: "Region", B1: "Sales", A2: "${table:regions.name}", B2: "${table:regions.sales}" };
    const bytes = deck(cells, ["Sheet1!$A$2:$A$2", "Sheet1!$B$2:$B$2"]);
    const regions = [
      { name: "North", sales: 1 },
      { name: "East", sales: 2 },
      { name: "West", sales: 3 },
    ];
    const [chart] = chartsOf(openTemplatePackage((await fillDeck(bytes, { regions })).bytes));
    expect(chart).toMatchObject({
      ranges: ["Sheet1!$A$2:$A$4", "Sheet1!$B$2:$B$4"],
      caches: [
        ["North", "East", "West"],
        ["1", "2", "3"],
      ],
    });
  });

  it("of a repeated slide has a workbook of its own", async () => {
    const cells = { A2: "{{name}}", B2: "{{sales}}" };
    const bytes = deck(cells, ["Sheet1!$A$2", "Sheet1!$B$2"], ["{#regions}{name}", "{/regions}"]);
    expect((await describePowerPoint(bytes)).fields).toMatchObject([{ name: "regions", type: "loop" }]);
    const regions = [
      { name: "North", sales: 1 },
      { name: "South", sales: 2 },
    ];
    const { bytes: filled } = await fillDeck(bytes, { regions });
    expect(slideTexts(filled)).toHaveLength(3);
    const charts = chartsOf(openTemplatePackage(filled));
    expect(charts.map(({ cells: { A2, B2 } }) => [A2, B2])).toEqual([
      ["North", 1],
      ["South", 2],
    ]);
    expect(charts.map(({ caches }) => caches)).toEqual([
      [["North"], ["1"]],
      [["South"], ["2"]],
    ]);
  });

  it("with a fault in its workbook is refused by slide and cell", async () => {
    await expect(describePowerPoint(deck({ B2: "{{a + b}}" }, ["Sheet1!$A$2", "Sheet1!$B$2"]))).rejects.toThrow(
      /^In the workbook of a chart in slide 2: .*B2/,
    );
  });

  it("without tags keeps its bytes, also with a workbook that cannot be opened", async () => {
    const parts = { ...chartParts({ A2: "x" }, ["Sheet1!$A$2", "Sheet1!$B$2"]), "ppt/embeddings/book1.xlsx": "no zip" };
    const shapes = textBox("{name}") + chartFrame("chart");
    const relationships = { chart: ["chart", "../charts/chart1.xml"] } as const;
    const bytes = presentation([{ shapes, relationships }], "", "", "", parts);
    const filled = openTemplatePackage((await fillDeck(bytes, { name: "Ada" })).bytes);
    expect(new TextDecoder().decode(filled.read("ppt/embeddings/book1.xlsx"))).toBe("no zip");
  });
});
