import { describe, expect, it } from "vitest";
import type { Box, Layout } from "../../../../functions/core/documents/layout.ts";
import { extractOffline } from "../../../../functions/core/extraction/offline.ts";
import { viewDocument } from "../../../../functions/core/extraction/view.ts";
import { grid } from "./invoices/sample.ts";
import { PageMaker } from "./page.ts";

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

/** The layout with its boxes as they stand on the page turned by a quarter. */
function turned({ pages, ...rest }: Layout, turn: (box: Box, width: number, height: number) => Box): Layout {
  return {
    ...rest,
    pages: pages.map((page) => {
      const box = (one: Box): Box => turn(one, page.width, page.height);
      const blocks = page.blocks.map((block) =>
        block.kind === "table"
          ? block
          : {
              ...block,
              box: box(block.box),
              lines: block.lines.map((line) => ({
                ...line,
                box: box(line.box),
                words: line.words.map((word) => ({ ...word, box: box(word.box) })),
              })),
            },
      );
      return { ...page, width: page.height, height: page.width, rotation: 90, blocks };
    }),
  };
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
  ["down", clockwise],
  ["up", counterclockwise],
] as const)("a page whose text runs %s", (_, turn) => {
  const layout = turned(upright(), turn);

  it("is read like the upright one", () => {
    const { result } = extractOffline(layout, { schema: SCHEMA, granularity: "word" });
    expect(result).toEqual(extractOffline(upright(), { schema: SCHEMA, granularity: "word" }).result);
    expect(result).toMatchObject({ invoice_number: "4711", seller: "Muster GmbH", net_total: 100, gross_total: 119 });
  });

  it("shows its values where they stand on the page as shown", () => {
    const { sources } = extractOffline(layout, { schema: SCHEMA, granularity: "word" });
    const word = layout.pages[0]?.blocks
      .flatMap((block) => (block.kind === "table" ? [] : block.lines.flatMap(({ words }) => words)))
      .find(({ text }) => text === "119.00");
    const box = sources.locations["/gross_total"]?.pageAnchors[0]?.bbox;
    for (const side of ["left", "top", "right", "bottom"] as const)
      expect(box?.[side]).toBeCloseTo(word?.box[side] ?? -1, 3);
  });

  it("has the rows that it has when it is read", () => {
    const rows = (one: Layout): string[] =>
      viewDocument(one).rows.map(({ segments }) => segments.map(({ text }) => text).join(" | "));
    expect(rows(layout)).toEqual(rows(upright()));
  });
});

it("a word that stands upright at the edge turns no page", () => {
  const page = new PageMaker();
  page.lines(1, 1, ["Invoice No. 4711", "Total 119.00 EUR"]);
  const layout = page.layout();
  const words = ["set", "by", "hand"].map((text, at) => ({
    text,
    box: { left: 0.2, top: 3 + at, right: 0.3, bottom: 3.5 + at },
  }));
  const box = { left: 0.2, top: 3, right: 0.3, bottom: 5.5 };
  layout.pages[0]?.blocks.push({ kind: "paragraph", box, lines: [{ box, words }] });
  expect(viewDocument(layout).rows[0]?.segments[0]?.text).toBe("Invoice No. 4711");
});
