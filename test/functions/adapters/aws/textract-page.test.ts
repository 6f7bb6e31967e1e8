/** Textract's blocks as pages of the layout model, against answers drawn after its response objects. */
import { describe, expect, it } from "vitest";
import { answer } from "./json-exchange.ts";
import {
  type DrawnPage,
  drawPage,
  engineOf,
  LETTER,
  linesOf,
  readDrawn,
  type Scan,
  wordsOf,
} from "./textract.support.ts";

describe("readPage for a page of text", () => {
  it("gives words boxes in inches and confidence from 0 to 1", async () => {
    const drawn = drawPage();
    drawn.line("Invoice number", 1, 2, 0.2);
    const read1 = await readDrawn(drawn);
    expect(read1).toEqual({
      figures: [],
      angle: 0,
      roles: ["text"],
      tables: [],
      fields: [],
      page: {
        number: 3,
        width: 8.5,
        height: 11,
        unit: "inch",
        rotation: 0,
        blocks: [
          {
            kind: "paragraph",
            box: { left: 1, top: 2, right: 2.38, bottom: 2.2 },
            lines: [
              {
                box: { left: 1, top: 2, right: 2.38, bottom: 2.2 },
                words: [
                  { text: "Invoice", box: { left: 1, top: 2, right: 1.7, bottom: 2.2 }, confidence: 0.9912 },
                  { text: "number", box: { left: 1.78, top: 2, right: 2.38, bottom: 2.2 }, confidence: 0.9812 },
                ],
              },
            ],
          },
        ],
      },
    });
  });

  it("orders blocks: columns of text one after the other, rows of cells as rows", async () => {
    const drawn = drawPage();
    const prose = (left: number, word: string) => {
      for (let row = 0; row < 6; row += 1) drawn.line(Array(10).fill(`${word}${row}`).join(" "), left, 1 + row * 0.15);
    };
    // In Textract's order: row by row over both columns.
    prose(1, "left");
    prose(5, "right");
    drawn.line(Array(22).fill("across").join(" "), 1, 3);
    drawn.line("Total", 1, 5);
    drawn.line("12.00", 6, 5.01);
    const lines = linesOf(await readDrawn(drawn));
    expect(lines.map((block) => block.map((line) => line.split(" ")[0]))).toEqual([
      ["left0", "left1", "left2", "left3", "left4", "left5"],
      ["right0", "right1", "right2", "right3", "right4", "right5"],
      ["across"],
      ["Total", "12.00"],
    ]);
  });

  it("accepts empty pages, missing polygons and boxes over the edge", async () => {
    expect(linesOf(await readDrawn(drawPage()))).toEqual([]);
    const drawn = drawPage();
    drawn.line("edge", 8.4, 10.95);
    for (const block of drawn.blocks) delete block.Geometry?.Polygon;
    const [word] = wordsOf(await readDrawn(drawn));
    expect(word?.box).toEqual({ left: 8.4, top: 10.95, right: 8.5, bottom: 11 });
    const blank = drawPage();
    blank.line("   ", 1, 1);
    expect(wordsOf(await readDrawn(blank))).toEqual([]);
  });

  it("accepts null for missing members", async () => {
    const drawn = drawPage();
    drawn.line("some words", 1, 1);
    const plain = await readDrawn(drawn);
    for (const block of drawn.blocks) {
      Object.assign(block, { Query: null, RowIndex: null, EntityTypes: null, SelectionStatus: null });
      Object.assign(block.Geometry ?? {}, { RotationAngle: null });
      if (block.BlockType === "WORD") Object.assign(block, { Relationships: null });
    }
    drawn.blocks.push({ BlockType: "WORD", Id: "bare", Text: "bare", ...JSON.parse('{"Geometry":null}') });
    const read = await readDrawn(drawn);
    expect(linesOf(read).flat()).toEqual(["bare", "some words"]);
    expect(wordsOf(read).slice(1)).toEqual(wordsOf(plain));
  });

  it("keeps words outside lines", async () => {
    const drawn = drawPage();
    drawn.line("in line", 1, 1);
    drawn.block("WORD", { left: 3, top: 4, right: 4, bottom: 4.1 }, {}, { Text: "alone" });
    expect(linesOf(await readDrawn(drawn))).toEqual([["in line"], ["alone"]]);
  });

  it("keeps the file's own rotation", async () => {
    const { recognize } = engineOf(() => answer({ Blocks: drawPage().blocks }));
    const { page, use } = await recognize({ frame: { ...LETTER, rotation: 90 } });
    expect(page.page.rotation).toBe(90);
    expect(use.pages).toBe(1);
  });
});

describe("readPage for a skewed page", () => {
  const draw = (scan: Scan) => {
    const drawn = drawPage(scan);
    drawn.line("Heading of the page", 2, 1, 0.3);
    for (let row = 0; row < 5; row += 1) {
      drawn.line(`Label ${row}`, 1, 3 + row * 0.2);
      drawn.line(`value ${row}`, 6.5, 3 + row * 0.2);
    }
    return drawn;
  };
  const upright = [["Heading of the page"], [0, 1, 2, 3, 4].flatMap((row) => [`Label ${row}`, `value ${row}`])];

  it("reads it in its own direction, with boxes as shown", async () => {
    for (const turned of [0, 90, 180, 270]) {
      const frame = turned % 180 === 0 ? LETTER : { width: 11, height: 8.5 };
      const page = await readDrawn(draw({ turned }), "DEFAULT", frame);
      expect(page.angle).toBe(turned === 270 ? -90 : turned);
      expect(linesOf(page)).toEqual(upright);
      expect(page.page).toMatchObject({ ...frame, rotation: 0 });
    }
    const box = wordsOf(await readDrawn(draw({ turned: 90 }), "DEFAULT", { width: 11, height: 8.5 }))[0]?.box;
    // "Heading" upright: 2 to 3.05 across, 1 to 1.3 down; a quarter clockwise: from the right edge, downwards.
    expect(box).toEqual({ left: 9.7, top: 2, right: 10, bottom: 3.05 });
    const half = wordsOf(await readDrawn(draw({ turned: 180 })))[0]?.box;
    expect(half).toEqual({ left: 5.45, top: 9.7, right: 6.5, bottom: 10 });
  });

  it("keeps the rows of a slanted page together", async () => {
    // At 2.5 degrees the right end of a row stands a line and a half lower than its left end.
    for (const turned of [2.5, -2.5, 182.5]) {
      const page = await readDrawn(draw({ turned }));
      expect(page.angle).toBeCloseTo(turned > 180 ? turned - 360 : turned, 1);
      expect(linesOf(page)).toEqual(upright);
    }
  });

  it("uses the direction of most of its text", async () => {
    const drawn = draw({});
    const stamp = drawPage({ turned: 90, name: "stamp" });
    stamp.line("received", 1, 10.5);
    drawn.blocks.push(...stamp.blocks.slice(1));
    const page = await readDrawn(drawn);
    expect(page.angle).toBe(0);
    expect(linesOf(page).flat()).toContain("received");
  });
});

describe("readPage for a page with layout elements", () => {
  it("makes the elements blocks in their order, each line once", async () => {
    const drawn = drawPage();
    const footer = drawn.line("Page 1 of 2", 4, 10.5);
    const title = drawn.line("Annual report", 2, 1, 0.3);
    const right = [drawn.line("right one", 5, 3), drawn.line("right two", 5, 3.2)];
    const left = [drawn.line("left one", 1, 3), drawn.line("left two", 1, 3.2)];
    const items = [drawn.line("- first", 1, 5), drawn.line("- second", 1, 5.2)];
    const orphan = drawn.line("in no element", 1, 8);
    drawn.layout("LAYOUT_TITLE", [title.id]);
    drawn.layout("LAYOUT_FIGURE", []);
    drawn.layout(
      "LAYOUT_TEXT",
      left.map((line) => line.id),
    );
    drawn.layout(
      "LAYOUT_TEXT",
      right.map((line) => line.id),
    );
    // The list comes before its items; both are children of the page.
    const list = drawn.layout("LAYOUT_LIST", []);
    const itemIds = items.map((line) => drawn.layout("LAYOUT_TEXT", [line.id]));
    Object.assign(drawn.blocks.find((block) => block.Id === list) ?? {}, {
      Relationships: [{ Type: "CHILD", Ids: itemIds }],
    });
    drawn.layout("LAYOUT_PAGE_NUMBER", [footer.id]);
    drawn.layout("LAYOUT_TEXT", [footer.id]);
    const page = await readDrawn(drawn, "PREMIUM");
    expect(orphan.words).toHaveLength(3);
    expect(linesOf(page)).toEqual([
      ["Annual report"],
      ["left one", "left two"],
      ["right one", "right two"],
      ["- first"],
      ["- second"],
      ["Page 1 of 2"],
      ["in no element"],
    ]);
    expect(page.roles).toEqual(["title", "text", "text", "list", "list", "page-number", "text"]);
  });

  it("locates figures, with lines in them or without", async () => {
    const drawn = drawPage();
    const label = drawn.line("Pier 7", 2, 2);
    drawn.block("LAYOUT_FIGURE", { left: 1, top: 1, right: 4, bottom: 3 }, { CHILD: [label.id] });
    drawn.block("LAYOUT_FIGURE", { left: 1, top: 5, right: 4, bottom: 7.5 });
    const { figures, roles } = await readDrawn(drawn, "PREMIUM");
    expect(figures).toMatchObject([
      { left: 1, bottom: 3 },
      { top: 5, right: 4 },
    ]);
    expect(roles).toEqual(["figure"]);
  });

  it("orders the lines of tables and forms row by row, on a slanted page too", async () => {
    for (const turned of [0, 2]) {
      const drawn = drawPage({ turned });
      const column = (left: number, name: string) =>
        [0, 1, 2].map((row) => drawn.line(`${name}${row}`, left, 2 + row * 0.3));
      // In Textract's order: column by column.
      const cells = [...column(1, "a"), ...column(4, "b"), ...column(7, "c")];
      drawn.layout(
        "LAYOUT_TABLE",
        cells.map((line) => line.id),
      );
      const fields = [drawn.line("Ada", 3, 7), drawn.line("Name:", 1, 7)];
      drawn.layout(
        "LAYOUT_KEY_VALUE",
        fields.map((line) => line.id),
      );
      const page = await readDrawn(drawn, "PREMIUM");
      expect(linesOf(page)).toEqual([
        ["a0", "b0", "c0", "a1", "b1", "c1", "a2", "b2", "c2"],
        ["Name:", "Ada"],
      ]);
      expect(page.roles).toEqual(["table", "fields"]);
    }
  });
});

describe("readPage for checkboxes", () => {
  const tick = (drawn: DrawnPage, left: number, top: number, SelectionStatus: "SELECTED" | "NOT_SELECTED") =>
    drawn.block("SELECTION_ELEMENT", { left, top, right: left + 0.12, bottom: top + 0.12 }, {}, { SelectionStatus });

  it("makes them words in their lines, however the page was scanned", async () => {
    for (const turned of [0, 2.5, 90, 180]) {
      const drawn = drawPage({ turned });
      for (let row = 0; row < 4; row += 1)
        drawn.line("Tick whatever applies to the persons named above", 1, 3 + row * 0.2);
      drawn.line("Married", 1.2, 1);
      drawn.line("Yes No", 5, 1);
      tick(drawn, 1.03, 1, "SELECTED");
      tick(drawn, 4.85, 1, "NOT_SELECTED");
      tick(drawn, 5.4, 1, "SELECTED");
      const frame = turned === 90 ? { width: 11, height: 8.5 } : LETTER;
      const page = await readDrawn(drawn, "PREMIUM", frame);
      expect(linesOf(page).flat().slice(0, 2)).toEqual(["☒ Married", "☐ Yes No ☒"]);
    }
  });

  it("gives them box and confidence, and replaces the letter read in their place", async () => {
    const drawn = drawPage();
    drawn.line("X Married", 1, 1);
    drawn.line("X marks the spot", 1, 2);
    tick(drawn, 0.98, 1, "SELECTED");
    const page = await readDrawn(drawn, "PREMIUM");
    expect(linesOf(page).flat()).toEqual(["☒ Married", "X marks the spot"]);
    const mark = { left: 0.98, top: 1, right: 1.1, bottom: 1.12 };
    expect(wordsOf(page)[0]).toEqual({ text: "☒", box: mark, confidence: 0.905 });
  });

  it("removes them from the text that they are taken to cover", async () => {
    const drawn = drawPage();
    const { place } = drawn.line("marked with a pen", 1, 1);
    drawn.block("SELECTION_ELEMENT", place, {}, { SelectionStatus: "SELECTED" });
    const words = wordsOf(await readDrawn(drawn, "PREMIUM")).map(({ text }) => text);
    expect(words.filter((text) => text !== "☒")).toEqual(["marked", "with", "a", "pen"]);
    expect(words).toContain("☒");
  });

  it("groups those far from every line with the element around them", async () => {
    const drawn = drawPage();
    const labels = ["Married", "Insured"].map((text, row) => drawn.line(text, 1, 2 + row * 0.3));
    const below = drawn.line("Signed in the presence of two", 1, 5);
    drawn.block(
      "LAYOUT_KEY_VALUE",
      { left: 0.9, top: 1.9, right: 7, bottom: 2.6 },
      { CHILD: labels.map(({ id }) => id) },
    );
    drawn.block("LAYOUT_TEXT", { left: 0.9, top: 4.9, right: 7, bottom: 5.2 }, { CHILD: [below.id] });
    tick(drawn, 6, 2, "NOT_SELECTED");
    tick(drawn, 6, 2.3, "SELECTED");
    const page = await readDrawn(drawn, "PREMIUM");
    expect(linesOf(page)).toEqual([["Married", "☐", "Insured", "☒"], ["Signed in the presence of two"]]);
  });
});
