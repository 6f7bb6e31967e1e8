import { describe, expect, it } from "vitest";
import { extractOffline } from "../../../../../functions/engine/extraction/rules/extract-offline.ts";
import { parseSchema } from "../../../../../functions/engine/schema/parsed-schema.ts";
import { viewDocument } from "../../../../../functions/engine/structure/view/document-view.ts";
import type { Block, Box, Layout, Page } from "../../../../../functions/ports/layout.ts";
import { HEAD, linesOf, pagesOf, printed, receiptsOf } from "../../completeness/tables.ts";
import { PageMaker } from "../page.ts";
import { grid } from "./invoices/sample.ts";

const SIDES = ["left", "top", "right", "bottom"] as const;

const SCHEMA = {
  type: "object",
  properties: {
    invoice_number: { type: "string" },
    seller: { type: "string" },
    net_total: { type: "number" },
    tax_total: { type: "number" },
    gross_total: { type: "number" },
    items: {
      type: "array",
      items: { type: "object", properties: { description: { type: "string" }, amount: { type: "number" } } },
    },
  },
};

function upright(): Layout {
  const page = new PageMaker();
  page.lines(1, 0.6, ["Muster GmbH", "Hauptstr. 1", "10115 Berlin"]);
  page.text(1, 1.6, "Invoice No. 4711");
  grid(
    page,
    2.2,
    [1, -5],
    [
      ["Description", "Amount"],
      ["Oil pump", "60.00"],
      ["Seal kit", "40.00"],
    ],
  );
  grid(
    page,
    3.2,
    [1, -5],
    [
      ["Net total", "100.00"],
      ["VAT 19%", "19.00"],
      ["Total", "119.00"],
    ],
  );
  return page.layout();
}

type Turn = (box: Box, width: number, height: number) => Box;

/** The layout as its reader tells it when the page was turned by a quarter: boxes as shown, and the angle. */
function turned({ pages, ...rest }: Layout, turn: Turn, angle: number): Layout {
  const deep = (value: unknown, map: (box: Box) => Box): unknown => {
    if (Array.isArray(value)) return value.map((one) => deep(one, map));
    if (typeof value !== "object" || value === null) return value;
    if ("left" in value && "top" in value) return map(value as Box);
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, deep(one, map)]));
  };
  const turnedPages = pages.map((page): Page => {
    const blocks = deep(page.blocks, (box) => turn(box, page.width, page.height)) as Block[];
    return { ...page, width: page.height, height: page.width, angle, blocks };
  });
  return { ...rest, pages: turnedPages };
}

const clockwise = ({ left, top, right, bottom }: Box, _: number, height: number): Box => ({
  left: height - bottom,
  top: left,
  right: height - top,
  bottom: right,
});
const counterclockwise = ({ left, top, right, bottom }: Box, width: number): Box => ({
  left: top,
  top: width - right,
  right: bottom,
  bottom: width - left,
});

describe.each([
  ["down", clockwise, 90],
  ["up", counterclockwise, -90],
] as const)("a page whose text runs %s", (_, turn, angle) => {
  const layout = turned(upright(), turn, angle);

  it("is read like the upright one", () => {
    const { result } = extractOffline(layout, { schema: parseSchema(SCHEMA), granularity: "word" });
    expect(result).toEqual(extractOffline(upright(), { schema: parseSchema(SCHEMA), granularity: "word" }).result);
    expect(result).toMatchObject({ invoice_number: "4711", seller: "Muster GmbH", net_total: 100, gross_total: 119 });
  });

  it("shows its values where they stand on the page as shown", () => {
    const { sources } = extractOffline(layout, { schema: parseSchema(SCHEMA), granularity: "word" });
    const word = layout.pages[0]?.blocks
      .flatMap((block) => (block.kind === "table" ? [] : block.lines.flatMap(({ words }) => words)))
      .find(({ text }) => text === "119.00");
    const box = sources.locations["/gross_total"]?.pageAnchors[0]?.bbox;
    for (const side of SIDES) expect(box?.[side]).toBeCloseTo(word?.box[side] ?? -1, 3);
  });

  it("has the rows that it has when it is read", () => {
    const rows = (one: Layout): string[] =>
      viewDocument(one).rows.map(({ segments }) => segments.map(({ text }) => text).join(" | "));
    expect(rows(layout)).toEqual(rows(upright()));
  });

  it("has its rows counted like those of the upright one, and names the missing ones where they are shown", () => {
    const lines = new PageMaker();
    grid(lines, 1, [1, 3, 5, -7], [HEAD, ...linesOf(14).map(printed)]);
    for (const straight of [pagesOf(linesOf(14).map(printed)), lines.layout()]) {
      const data = { lines: linesOf(14).filter((__, at) => at !== 3 && at !== 9) };
      const [expected] = receiptsOf(straight, data);
      const [receipt] = receiptsOf(turned(straight, turn, angle), data);
      expect(expected?.missing.map(({ at }) => at)).toEqual([3, 8]);
      const { width, height } = straight.pages[0] ?? { width: 0, height: 0 };
      const boxes = expected?.missing.map(({ box }) => turn(box, width, height));
      expect(receipt).toMatchObject({ returned: 12, missing: expected?.missing.map(({ box, ...row }) => row) });
      receipt?.missing.forEach(({ box }, at) => {
        for (const side of SIDES) expect(box[side]).toBeCloseTo(boxes?.[at]?.[side] ?? -1, 3);
      });
    }
  });
});
