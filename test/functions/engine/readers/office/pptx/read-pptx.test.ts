import { describe, expect, it } from "vitest";
import { blockLines, lineText } from "../../../../../../functions/engine/layout/page-words.ts";
import { readOfficeDocument } from "../../../../../../functions/engine/readers/office/read-office.ts";
import type { Block, Layout } from "../../../../../../functions/ports/layout.ts";
import { pageWords, wordIn } from "../../../../../support/layout.ts";
import { frame, presentation, type SlideOptions, shape } from "../../../../../support/office-parts.ts";

const read = (slides: (SlideOptions | string)[], ...templates: string[]): Layout =>
  readOfficeDocument(
    presentation(
      slides.map((slide) => (typeof slide === "string" ? { shapes: slide } : slide)),
      ...templates,
    ),
    "pptx",
  );
const text = (block: Block): string => blockLines(block).map(lineText).join("|");
const seen = (layout: Layout, page = 0): [string, string][] =>
  layout.pages[page]?.blocks.map((block) => [block.kind, text(block)]) ?? [];
const paragraph = (content: string, properties = ""): string =>
  `<a:p>${properties}<a:r><a:t>${content}</a:t></a:r></a:p>`;

it("readPowerPoint makes a page for each slide, of its size, in the presentation's order", () => {
  const layout = read([shape({ text: "One" }), "", shape({ text: "Three" })]);
  expect(layout).toMatchObject({ provider: "pptx", logicalPages: true, pageCount: 3 });
  expect(layout.pages.map(({ number, width, height }) => [number, width, height])).toEqual([
    [1, 10, 7.5],
    [2, 10, 7.5],
    [3, 10, 7.5],
  ]);
  expect(seen(layout, 2)).toEqual([["paragraph", "Three"]]);
});

it("readPowerPoint returns only the requested slides", () => {
  const bytes = presentation([{ shapes: shape({ text: "One" }) }, { shapes: shape({ text: "Two" }) }]);
  const layout = readOfficeDocument(bytes, "pptx", [2, 9]);
  expect([layout.pageCount, layout.pages.map((page) => page.number)]).toEqual([2, [2]]);
});

describe("readPowerPoint block kinds", () => {
  it("are headings for titles, which come first, and footers for footers", () => {
    const layout = read([
      shape({ text: "body" }) +
        shape({ type: "ftr", text: "Acme" }) +
        shape({ type: "ctrTitle", text: "Title" }) +
        shape({ type: "subTitle", index: "1", text: "Sub" }),
    ]);
    expect(seen(layout)).toEqual([
      ["heading", "Title"],
      ["heading", "Sub"],
      ["paragraph", "body"],
      ["footer", "Acme"],
    ]);
  });

  it("are list items by the bullets of paragraph, shape and master, without the layout's prompts", () => {
    const paragraphs =
      paragraph("by the master") +
      paragraph("deeper", '<a:pPr lvl="1"/>') +
      paragraph("none", "<a:pPr><a:buNone/></a:pPr>") +
      paragraph("own", '<a:pPr><a:buFont typeface="Wingdings"/><a:buChar char="&#xFC;"/></a:pPr>') +
      paragraph("a)", '<a:pPr><a:buAutoNum type="alphaLcParenR"/></a:pPr>') +
      paragraph("b)", '<a:pPr><a:buAutoNum type="alphaLcParenR"/></a:pPr>');
    const layout = read(
      [shape({ index: "1", paragraphs })],
      shape({
        type: "body",
        index: "1",
        at: frame(1, 2, 8, 4),
        text: "Click to edit",
        style: '<a:lvl2pPr><a:buChar char="–"/></a:lvl2pPr>',
      }),
      shape({ type: "body", index: "1", text: "Master prompt" }),
      '<p:bodyStyle><a:lvl1pPr><a:buChar char="•"/><a:defRPr sz="2000"/></a:lvl1pPr><a:lvl2pPr><a:buChar char="*"/></a:lvl2pPr></p:bodyStyle>',
    );
    const items = layout.pages[0]?.blocks.map((block) =>
      block.kind === "list-item" ? [block.marker, block.level] : block.kind,
    );
    expect(items).toEqual([["•", 1], ["–", 2], "paragraph", ["✓", 1], ["a)", 1], ["b)", 1]]);
    expect(wordIn(layout, "master").fontSize).toBe(20);
    const { box } = wordIn(layout, "master");
    expect([box.left >= 1, box.top >= 2, box.bottom <= 6]).toEqual([true, true, true]);
  });

  it("leave out hidden shapes", () => {
    expect(
      seen(read([shape({ text: "no" }).replace('name="x"', 'name="x" hidden="1"') + shape({ text: "yes" })])),
    ).toEqual([["paragraph", "yes"]]);
  });
});

describe("readPowerPoint places", () => {
  it("keep words within their shape, rows below each other", () => {
    const layout = read([
      shape({ at: frame(2, 1, 3, 2), paragraphs: paragraph("some words that will not fit on one row of it") }),
    ]);
    const words = pageWords(layout.pages[0]);
    for (const { box } of words) {
      expect([box.left >= 2, box.right <= 5, box.top >= 1, box.bottom <= 3]).toEqual([true, true, true, true]);
    }
    expect(new Set(words.map(({ box }) => box.top)).size).toBeGreaterThan(1);
  });

  it("compress text that is too long for its shape", () => {
    const layout = read([shape({ at: frame(1, 1, 2, 0.5), paragraphs: paragraph("word ".repeat(60)) })]);
    expect(Math.max(...pageWords(layout.pages[0]).map(({ box }) => box.bottom))).toBeLessThanOrEqual(1.5);
  });

  it("move and scale shapes in groups", () => {
    const EMU = 914_400;
    const group = `<p:grpSp><p:nvGrpSpPr/><p:grpSpPr><a:xfrm><a:off x="${5 * EMU}" y="${3 * EMU}"/><a:ext cx="${2 * EMU}" cy="${EMU}"/><a:chOff x="0" y="0"/><a:chExt cx="${4 * EMU}" cy="${2 * EMU}"/></a:xfrm></p:grpSpPr>${shape({ at: frame(2, 1, 2, 1), text: "in" })}</p:grpSp>`;
    const { left, top } = wordIn(read([group]), "in").box;
    expect(left).toBeCloseTo(6.1, 3);
    expect(top).toBeCloseTo(3.55, 3);
  });
});

it("follow the grid of tables, with spans", () => {
  const EMU = 914_400;
  const cell = (content: string, attributes = ""): string =>
    `<a:tc ${attributes}><a:txBody>${paragraph(content)}</a:txBody></a:tc>`;
  const table =
    `<a:tbl><a:tblPr firstRow="1"/><a:tblGrid><a:gridCol w="${EMU}"/><a:gridCol w="${2 * EMU}"/></a:tblGrid>` +
    `<a:tr h="${EMU / 2}">${cell("Both", 'gridSpan="2"')}${cell("", 'hMerge="1"')}</a:tr><a:tr h="${EMU / 2}">${cell("a")}${cell("b")}</a:tr></a:tbl>`;
  const graphic = `<p:graphicFrame><p:nvGraphicFramePr/>${frame(1, 2, 3, 1).replaceAll("a:xfrm", "p:xfrm")}<a:graphic><a:graphicData>${table}</a:graphicData></a:graphic></p:graphicFrame>`;
  const block = read([graphic]).pages[0]?.blocks[0];
  if (block?.kind !== "table") throw new Error("There is no table");
  expect([block.rows, block.columns, block.headerRows]).toEqual([2, 2, 1]);
  expect(
    block.cells.map((one) => [
      one.row,
      one.column,
      one.columnSpan,
      one.lines.map(lineText).join(),
      one.box.left,
      one.box.right,
    ]),
  ).toEqual([
    [0, 0, 2, "Both", 1, 4],
    [1, 0, 1, "a", 1, 2],
    [1, 1, 1, "b", 2, 4],
  ]);
});

it("put notes, and the mark of a hidden slide, below the slide", () => {
  const layout = read([{ shapes: shape({ text: "Slide" }), notes: "Remember this", attributes: 'show="0"' }]);
  expect(seen(layout)).toEqual([
    ["paragraph", "Slide"],
    ["note", "Hidden slide."],
    ["note", "Remember this"],
  ]);
  const [page] = layout.pages;
  for (const block of page?.blocks.slice(1) ?? []) {
    expect([block.box.top >= 7.5, block.box.bottom <= (page?.height ?? 0)]).toEqual([true, true]);
  }
});

it("turn pictures into figures with their descriptions, and charts and diagrams with their texts", () => {
  const picture = `<p:pic><p:nvPicPr><p:cNvPr id="3" name="p" descr="A map"/></p:nvPicPr><p:blipFill><a:blip r:embed="i"/></p:blipFill><p:spPr>${frame(1, 1, 2, 2)}</p:spPr></p:pic>`;
  const graphic = (content: string): string =>
    `<p:graphicFrame><p:nvGraphicFramePr/><p:xfrm/><a:graphic><a:graphicData>${content}</a:graphicData></a:graphic></p:graphicFrame>`;
  const shapes = picture + graphic('<c:chart xmlns:c="c" r:id="c"/>') + graphic('<dgm:relIds xmlns:dgm="d" r:dm="d"/>');
  const relationships = { c: ["chart", "../charts/c.xml"], d: ["diagramData", "../diagrams/d.xml"] } as const;
  const layout = readOfficeDocument(
    presentation([{ shapes, relationships }], "", "", "", {
      "ppt/charts/c.xml":
        "<c:chartSpace xmlns:c='c' xmlns:a='a'><c:title><c:tx><c:rich><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:rich></c:tx></c:title><c:cat><c:strRef><c:strCache><c:pt><c:v>2024</c:v></c:pt><c:pt><c:v>2025</c:v></c:pt></c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache><c:pt><c:v>7</c:v></c:pt></c:numCache></c:numRef></c:val></c:chartSpace>",
      "ppt/diagrams/d.xml":
        "<dgm:dataModel xmlns:dgm='d' xmlns:a='a'><dgm:ptLst><dgm:pt><dgm:t><a:p><a:r><a:t>Plan</a:t></a:r></a:p></dgm:t></dgm:pt><dgm:pt type='pres'><dgm:t><a:p><a:r><a:t>no</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst></dgm:dataModel>",
    }),
    "pptx",
  );
  expect(seen(layout)).toEqual([
    ["figure", "A map"],
    ["figure", "Sales|2024|2025"],
    ["figure", "Plan"],
  ]);
});
