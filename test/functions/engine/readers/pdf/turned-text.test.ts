/** PDF pages with text printed sideways or upside down read like upright ones; boxes are as shown. */
import {
  beginText,
  endText,
  type PDFPage,
  setCharacterSqueeze,
  setFontAndSize,
  setTextMatrix,
  showText,
  degrees as turnedBy,
} from "@cantoo/pdf-lib";
import { beforeAll, describe, expect, it } from "vitest";
import { transcribe } from "../../../../../functions/engine/exports/transcription/transcribe.ts";
import { pageWords } from "../../../../../functions/engine/layout/page-words.ts";
import { readDocument } from "../../../../../functions/engine/readers/read-document.ts";
import type { Box, Layout } from "../../../../../functions/ports/layout.ts";
import { PDF } from "../../../../../functions/ports/media-types.ts";
import { drawnPdf, type PageOptions, type Placed, textPdf } from "../../../../support/pdf.ts";

const ROWS = [
  ["Article", "Qty", "Price", "Amount"],
  ["Copper pipe", "12", "3.50", "42.00"],
  ["Steel valve", "1", "120.00", "120.00"],
  ["Flange", "100", "0.99", "99.00"],
];
const BODY = "The goods stay ours until they are paid for in full, and are to be looked at on the day of";
const LINES: readonly Placed[] = [
  { text: "Delivery note", x: 60, y: 720, size: 20, bold: true },
  { text: "The price list of this year holds for all that is named here, and no rebate is", x: 60, y: 690 },
  { text: "given on parts that were ordered by telephone.", x: 60, y: 676 },
  ...ROWS.flatMap((cells, row) =>
    cells.map((text, column) => ({ text, x: 60 + column * 120, y: 640 - row * 24, bold: row === 0 })),
  ),
  { text: "Terms", x: 60, y: 520, size: 16, bold: true },
  { text: "1. Pay within thirty days.", x: 60, y: 490 },
  { text: "2. Look at the goods.", x: 60, y: 472 },
  ...[0, 1, 2, 3].map((line) => ({ text: `${BODY} ${line}`, x: 60, y: 430 - 14 * line })),
];
const WIDTH = 612;
const HEIGHT = 792;

/** The lines on a page turned clockwise as shown, which is as large. */
function printed(degrees: number): { lines: Placed[]; size: [number, number] } {
  const place = ({ x, y }: Placed): { x: number; y: number } =>
    degrees === 90
      ? { x: y, y: WIDTH - x }
      : degrees === 180
        ? { x: WIDTH - x, y: HEIGHT - y }
        : { x: HEIGHT - y, y: x };
  return {
    lines: LINES.map((line) => ({ ...line, ...place(line), turn: -degrees })),
    size: degrees === 180 ? [WIDTH, HEIGHT] : [HEIGHT, WIDTH],
  };
}

const read = async (lines: readonly Placed[], options: PageOptions = {}): Promise<Layout> =>
  (await readDocument(await textPdf(lines, options), { mimeType: PDF })).layout;
const boxOf = (layout: Layout, text: string): Box | undefined =>
  layout.pages.flatMap(pageWords).find((word) => word.text === text)?.box;

let upright: Layout;
beforeAll(async () => {
  upright = await read(LINES);
});

describe.each([
  [90, 90],
  [180, 180],
  [270, -90],
])("PDF page printed %i degrees clockwise", (degrees, angle) => {
  it("gives the headings, lists, tables and order of the upright page, in every format", async () => {
    const { lines, size } = printed(degrees);
    const layout = await read(lines, { size });
    const told = transcribe(upright, "markdown");
    expect(told).toMatch(/^<!-- page 1 -->\n\n# Delivery note\n/);
    expect(told).toContain("| Steel valve | 1 | 120.00 | 120.00 |");
    expect(told).toContain("\n1. Pay within thirty days.\n2. Look at the goods.\n");
    for (const format of ["plain", "markdown"] as const)
      expect(transcribe(layout, format)).toBe(transcribe(upright, format));
    expect(layout.pages[0]).toMatchObject({ angle, rotation: 0, width: size[0] / 72, height: size[1] / 72 });
  });

  it("has its words where they are shown", async () => {
    const { lines, size } = printed(degrees);
    const layout = await read(lines, { size });
    const { left, top, right, bottom } = boxOf(upright, "Delivery") ?? { left: 0, top: 0, right: 0, bottom: 0 };
    const [width, height] = [WIDTH / 72, HEIGHT / 72];
    const expected: Box = {
      90: { left: height - bottom, top: left, right: height - top, bottom: right },
      180: { left: width - right, top: height - bottom, right: width - left, bottom: height - top },
      270: { left: top, top: width - right, right: bottom, bottom: width - left },
    }[degrees] ?? { left, top, right, bottom };
    const box = boxOf(layout, "Delivery");
    for (const side of ["left", "top", "right", "bottom"] as const) expect(box?.[side]).toBeCloseTo(expected[side], 2);
  });
});

it("readPdfPage sets the angle of a page whose rotation shows its text sideways", async () => {
  const layout = await read(LINES, { rotate: 90 });
  expect(layout.pages[0]).toMatchObject({ angle: 90, rotation: 90 });
  expect(transcribe(layout, "markdown")).toBe(transcribe(upright, "markdown"));
  // A page that the file rotates back is shown upright.
  const { lines, size } = printed(270);
  const back = await read(lines, { size, rotate: 90 });
  expect(back.pages[0]).not.toHaveProperty("angle");
  expect(transcribe(back, "markdown")).toBe(transcribe(upright, "markdown"));
});

it("readPdfPage puts an upright page number last; a few sideways words do not set the angle", async () => {
  const { lines, size } = printed(90);
  const numbered = await read([...lines, { text: "Sheet A", x: 40, y: 20 }], { size });
  expect(transcribe(numbered, "plain").trimEnd().endsWith("Sheet A")).toBe(true);
  const edged = await read([...LINES, { text: "Form 12 b of the year 2026", x: 30, y: 300, turn: 90 }]);
  expect(edged.pages[0]).not.toHaveProperty("angle");
  expect(transcribe(edged, "markdown")).toMatch(/^<!-- page 1 -->\n\n# Delivery note\n/);
});

it("readDocument joins a table over sideways pages, though it begins lower on the first", async () => {
  const sheet = (from: number, x: number) => (page: PDFPage) => {
    for (let row = from; row < from + 20; row += 1) {
      const cells = row === 0 ? ["Article", "Qty", "Amount"] : [`Pipe ${row}`, `${row}`, `${row}.50`];
      cells.forEach((text, column) => {
        const place = { x: x + (row - from) * 22, y: 60 + column * 200 };
        page.drawText(text, { ...place, size: 11, rotate: turnedBy(90) });
      });
    }
  };
  const pdf = await drawnPdf([sheet(0, 150), sheet(20, 60)]);
  const { pages } = (await readDocument(pdf, { mimeType: PDF })).layout;
  expect(pages.map(({ angle }) => angle)).toEqual([-90, -90]);
  const tables = pages.map(({ blocks }) => blocks.find(({ kind }) => kind === "table"));
  expect(tables).toMatchObject([
    { rows: 20, columns: 3, headerRows: 1 },
    { rows: 20, columns: 3, headerRows: 0, continued: true },
  ]);
});

it("readPdfPage reads text upright that a negative size and a flipped matrix turn round twice", async () => {
  const pdf = await drawnPdf([
    (page, { regular }) => {
      const font = page.node.newFontDictionary(regular.name, regular.ref);
      page.pushOperators(
        beginText(),
        setFontAndSize(font, -12),
        setCharacterSqueeze(-100),
        setTextMatrix(1, 0, 0, -1, 72, 700),
        showText(regular.encodeText("Registered voters by county")),
        endText(),
      );
    },
  ]);
  const { pages } = (await readDocument(pdf, { mimeType: PDF })).layout;
  expect(pages[0]).not.toHaveProperty("angle");
  expect(pages.flatMap(pageWords).map(({ text }) => text)).toEqual(["Registered", "voters", "by", "county"]);
});
