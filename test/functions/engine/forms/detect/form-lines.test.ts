/** Lines to write on: their captions and heads, parts of one number, answers before them, texts of several lines. */
import { expect, it } from "vitest";
import { DETECTION_DEFAULTS } from "../../../../../functions/engine/forms/detect/define-fields.ts";
import { detectForm } from "../../../../../functions/engine/forms/detect/detect-form.ts";
import type { FieldDefinition } from "../../../../../functions/engine/forms/field-definition.ts";
import { drawnForm, type FormPen } from "../../../../support/drawn-form.ts";

const detect = async (draw: (pen: FormPen) => void, minConfidence = 0.01): Promise<FieldDefinition[]> =>
  detectForm(await drawnForm({ draw }), { ...DETECTION_DEFAULTS, minConfidence });

/** Left and right ends in whole points of a page 612 points wide. */
const endsOf = ({ entryBbox: { left, right } }: FieldDefinition): number[] => [left * 612, right * 612].map(Math.round);

it("detectForm divides the free row between two equal rules by its heads", async () => {
  const fields = await detect((pen) =>
    pen
      .line(36, 112, 576, 112)
      .text("City or town", 65, 121)
      .text("State", 166, 121)
      .text("Code", 205, 121)
      .text("Country", 288, 121)
      .line(36, 144, 576, 144),
  );
  const row = fields.filter(({ entryBbox }) => Math.round(entryBbox.bottom * 792) === 144);
  expect(row.map(({ label }) => label)).toEqual(["City or town", "State", "Code", "Country"]);
  expect(fields.filter(({ entryBbox }) => Math.round(entryBbox.bottom * 792) === 112)).toHaveLength(1);
});

it("detectForm does not divide a line by answers to tick under it", async () => {
  const fields = await detect((pen) =>
    pen
      .line(40, 114, 560, 114)
      .box(60, 116, 8, 8)
      .text("Weekly", 70, 123)
      .box(200, 116, 8, 8)
      .text("Monthly", 210, 123),
  );
  expect(fields.filter(({ source }) => source === "rule")).toHaveLength(1);
});

it("detectForm joins the parts of a number that dashes or strokes divide", async () => {
  const number = await detect((pen) =>
    pen
      .text("Number:", 40, 200)
      .line(80, 202, 110, 202)
      .text("-", 113, 200)
      .line(119, 202, 190, 202)
      .text("City", 193, 200)
      .line(215, 202, 300, 202),
  );
  expect(number.map((field) => endsOf(field))).toEqual([
    [80, 190],
    [215, 300],
  ]);
  const date = await detect((pen) => pen.text("Date: ____ / ____ / ________", 40, 200));
  expect(date.map(({ fieldType }) => fieldType)).toEqual(["date"]);
});

it("detectForm keeps lines of named rows apart, and joins those of one text", async () => {
  const lines = (pen: FormPen): FormPen => pen.line(200, 302, 400, 302).line(200, 322, 400, 322);
  const rows = await detect((pen) => lines(pen).text("Price of the house", 40, 300).text("Year of purchase", 40, 320));
  expect(rows.map(({ label, fieldType }) => [label, fieldType])).toEqual([
    [expect.stringContaining("Price"), "text"],
    [expect.stringContaining("Year"), "text"],
  ]);
  const text = await detect((pen) => lines(pen).text("Remarks", 40, 300));
  expect(text.map(({ fieldType }) => fieldType)).toEqual(["multiline"]);
});

it("detectForm doubts a line behind yes and no", async () => {
  const [named] = await detect((pen) => pen.text("Name", 60, 300).line(84, 302, 300, 302));
  const [answer] = (await detect((pen) => pen.box(45, 292, 8, 8).text("No", 60, 300).line(74, 302, 300, 302))).filter(
    ({ source }) => source === "rule",
  );
  expect(answer?.confidence).toBeLessThan(named?.confidence ?? 0);
});

it("detectForm finds the two cells of a day and of a month, and no comb in a table of two columns", async () => {
  const pair = (pen: FormPen, left: number): FormPen => pen.box(left, 100, 18, 20);
  const fields = await detect((pen) =>
    pair(pair(pen, 60), 120)
      .line(69, 100, 69, 120)
      .line(129, 100, 129, 120)
      .text("Day", 60, 130)
      .text("Month", 120, 130),
  );
  expect(fields.filter(({ comb }) => comb === 2).map((field) => endsOf(field))).toEqual([
    [60, 78],
    [120, 138],
  ]);
  const table = await detect((pen) => {
    for (const y of [200, 218, 236, 254]) pen.line(60, y, 96, y);
    for (const x of [60, 78, 96]) pen.line(x, 200, x, 254);
  });
  expect(table.some(({ comb }) => comb === 2)).toBe(false);
});

it("detectForm takes a tall empty cell beside a row for a margin, and no place", async () => {
  const fields = await detect((pen) => {
    for (const y of [200, 260, 320]) pen.line(30, y, 400, y);
    for (const x of [30, 52, 400]) pen.line(x, 200, x, 320);
    pen.text("Name and address", 56, 210).text("Employer", 56, 270);
  }, DETECTION_DEFAULTS.minConfidence);
  expect(fields.map((field) => endsOf(field)[0])).toEqual([54, 54]);
});

it("detectForm is as sure of a line with the number of its row before it and printed cents on it", async () => {
  const rows = await detect((pen) => pen.text("12", 180, 300).line(195, 302, 260, 302).text(".00", 246, 300));
  const plain = await detect((pen) => pen.text("12", 180, 300).line(195, 302, 244, 302));
  expect(rows[0]?.confidence).toBeGreaterThan(DETECTION_DEFAULTS.minConfidence);
  expect(plain[0]?.confidence).toBeGreaterThan(DETECTION_DEFAULTS.minConfidence);
});

it("detectForm names a line by the label with a colon far before it, without the labels of the rows over it", async () => {
  const fields = await detect((pen) =>
    pen
      .text("Surname:", 40, 200)
      .line(120, 202, 300, 202)
      .text("Given name:", 40, 212)
      .line(120, 214, 300, 214)
      .text("City", 340, 200)
      .line(370, 202, 500, 202)
      .text("Code", 340, 212)
      .line(370, 214, 500, 214),
  );
  expect(fields.map(({ label }) => label).sort()).toEqual(["City", "Code", "Given name:", "Surname:"]);
});

it("detectForm takes larger print under a line for the head of the next part, which is no caption", async () => {
  const confidenceOver = async (size: number): Promise<number> => {
    const [line] = await detect((pen) =>
      pen
        .line(40, 300, 300, 300)
        .text("Part two of it", 42, 310, size)
        .text("Print of the usual size, of which there is much more on this page", 40, 400, 9),
    );
    return line?.confidence ?? 0;
  };
  expect(await confidenceOver(10.5)).toBeLessThan(await confidenceOver(9));
});

it("detectForm writes behind the sign of money at the end of the print on a line", async () => {
  const confidenceOf = async (sign: string): Promise<number> => {
    const fields = await detect((pen) =>
      pen.line(40, 300, 560, 300).text("Maximum value", 42, 298).text(sign, 480, 298),
    );
    return fields.find((field) => (endsOf(field)[0] ?? 0) > 480)?.confidence ?? 0;
  };
  expect(await confidenceOf("$")).toBeGreaterThan(DETECTION_DEFAULTS.minConfidence);
  expect(await confidenceOf("x")).toBeLessThan(DETECTION_DEFAULTS.minConfidence);
});

it("detectForm divides the lines of a table by the heads over the first, and keeps its rows apart", async () => {
  const rows = [124, 148, 172];
  const fields = await detect((pen) => {
    pen.text("Name", 60, 105).text("Date of death", 400, 105);
    for (const y of rows) pen.line(36, y, 576, y);
  }, DETECTION_DEFAULTS.minConfidence);
  expect(fields.map((field) => endsOf(field)[0])).toEqual([36, 400, 36, 400, 36, 400]);
  expect(fields.map(({ entryBbox }) => Math.round(entryBbox.bottom * 792))).toEqual([124, 124, 148, 148, 172, 172]);
});

it("detectForm leaves a line under a divided one whole where print stands between them", async () => {
  const fields = await detect((pen) =>
    pen
      .text("Name", 60, 105)
      .text("Date of death", 400, 105)
      .line(36, 124, 576, 124)
      .text("Address of the parents", 36, 136)
      .line(36, 156, 576, 156),
  );
  const lower = fields.filter(({ entryBbox }) => Math.round(entryBbox.bottom * 792) === 156);
  expect(lower.map((field) => endsOf(field))).toEqual([[36, 576]]);
});
