/** Cells of forms: open, divided, cut by a number's box, tinted, heads of rows and columns. */
import { expect, it } from "vitest";
import { DETECTION_DEFAULTS } from "../../../../../functions/engine/forms/detect/define-fields.ts";
import { detectForm } from "../../../../../functions/engine/forms/detect/detect-form.ts";
import type { FieldDefinition } from "../../../../../functions/engine/forms/field-definition.ts";
import { cpuSeconds } from "../../../../support/cpu.ts";
import { drawnForm, type FormPen } from "../../../../support/drawn-form.ts";

const detect = async (draw: (pen: FormPen) => void, minConfidence?: number): Promise<FieldDefinition[]> =>
  detectForm(await drawnForm({ draw }), {
    ...DETECTION_DEFAULTS,
    ...(minConfidence === undefined ? {} : { minConfidence }),
  });

/** `[left, top, right, bottom]` in whole points of a page of 612 × 792 points. */
const pointsOf = ({ entryBbox: { left, top, right, bottom } }: FieldDefinition): number[] =>
  [left * 612, top * 792, right * 612, bottom * 792].map(Math.round);

/** Lines of a table. */
function grid(pen: FormPen, columns: readonly number[], rows: readonly number[]): FormPen {
  for (const y of rows) pen.line(columns[0] ?? 0, y, columns.at(-1) ?? 0, y);
  for (const x of columns) pen.line(x, rows[0] ?? 0, x, rows.at(-1) ?? 0);
  return pen;
}

it("detectForm closes the rows of a form that are open at the edges of the page", async () => {
  const fields = await detect((pen) =>
    pen
      .line(36, 108, 576, 108)
      .line(36, 133, 576, 133)
      .line(36, 158, 576, 158)
      .line(432, 108, 432, 158)
      .text("Name as shown", 39, 116, 8)
      .text("Number", 435, 116, 8)
      .text("Name of the spouse", 39, 141, 8)
      .text("Number of the spouse", 435, 141, 8)
      // A box under the rows whose side stands where theirs would.
      .box(36, 158, 36, 11)
      .text("Part 1", 40, 166, 7),
  );
  expect(fields.map(({ label, source }) => [label, source])).toEqual([
    ["Name as shown", "cell"],
    ["Number", "cell"],
    ["Name of the spouse", "cell"],
    ["Number of the spouse", "cell"],
  ]);
  expect(fields.slice(0, 2).map((field) => [pointsOf(field)[0], pointsOf(field)[2]])).toEqual([
    [36, 432],
    [432, 576],
  ]);
});

it("detectForm writes beside the box around a line's number", async () => {
  const fields = await detect((pen) =>
    grid(pen, [36, 288, 432], [72, 96])
      .box(38, 83.5, 11, 11)
      .text("1", 41, 93, 8)
      .text("First name", 50, 80, 8)
      .text("Last name", 291, 80, 8),
  );
  expect(fields.map(({ label, fieldType }) => [label, fieldType])).toEqual([
    ["First name", "text"],
    ["Last name", "text"],
  ]);
  expect(fields.map((field) => pointsOf(field)[2])).toEqual([288, 432]);
});

it("detectForm writes under a label beside the box of its line's number", async () => {
  const fields = await detect((pen) =>
    grid(pen, [36, 300, 420], [108, 132])
      .text("Your first name and middle initial", 54, 116, 8)
      .box(38, 118, 12, 12)
      .text("1", 42, 127, 8)
      .text("Last name", 304, 116, 8),
  );
  const [first] = fields.map((field) => pointsOf(field));
  expect(first?.[0]).toBeLessThan(60);
  expect(first?.[2]).toBe(300);
});

it("detectForm finds no room beside a place to tick in a cell of its own", async () => {
  const fields = await detect((pen) =>
    grid(pen, [50, 200, 300], [100, 120, 140, 160])
      .text("Name", 53, 113)
      .text("Student", 203, 113)
      .box(246, 126, 8, 8)
      .box(246, 146, 8, 8),
  );
  expect(fields.map(({ fieldType }) => fieldType)).toEqual(["text", "checkbox", "text", "checkbox"]);
});

it("detectForm takes the corner of a table and the heads of its rows for no places", async () => {
  const fields = await detect((pen) =>
    grid(pen, [50, 130, 210, 290, 370], [100, 120, 140, 160])
      .text("Monday", 140, 113)
      .text("Tuesday", 220, 113)
      .text("Friday", 300, 113)
      .text("Begin", 53, 133)
      .text("End", 53, 153),
  );
  expect(fields.map((field) => pointsOf(field)[0])).toEqual([130, 210, 290, 130, 210, 290]);
});

it("detectForm joins the cells that ticks divide for the parts of a number", async () => {
  const fields = await detect((pen) =>
    grid(pen, [50, 150, 240, 340], [100, 118, 136, 154])
      .text("Name", 53, 112)
      .text("Security number", 153, 112)
      .text("Relationship", 243, 112)
      .line(180, 118, 180, 154)
      .line(200, 118, 200, 154),
  );
  expect(fields.map((field) => [pointsOf(field)[0], pointsOf(field)[2]])).toEqual([
    [50, 150],
    [150, 240],
    [240, 340],
    [50, 150],
    [150, 240],
    [240, 340],
  ]);
  expect(fields[1]?.label).toBe("Security number");
});

it("detectForm takes tinted boxes without a frame for places, and tinted bars for none", async () => {
  const fields = await detect((pen) =>
    pen
      .tint(40, 60, 540, 16, 0.9)
      .text("Part 1", 44, 71)
      .text("Full name", 50, 113)
      .tint(120, 100, 200, 18, 0.9)
      .text("City", 50, 143)
      .tint(120, 130, 200, 18, 0.9),
  );
  expect(fields.map(({ label }) => label)).toEqual(["Full name", "City"]);
  expect(fields.map((field) => pointsOf(field))).toEqual([
    [120, 100, 320, 118],
    [120, 130, 320, 148],
  ]);
});

it("detectForm finds the room behind a label of two lines that ends in a colon, and behind a yes", async () => {
  const fields = await detect((pen) =>
    grid(pen, [50, 300], [100, 130, 160])
      .text("COAST", 53, 112)
      .text("GUARD:", 53, 123)
      .text("Yes:", 53, 142)
      .text("EUR a month, before tax", 100, 157, 7),
  );
  const rooms = fields.filter(({ fieldType }) => fieldType !== "radio" && fieldType !== "checkbox");
  expect(rooms.map((field) => pointsOf(field).slice(0, 3))).toEqual([
    [90, 102, 298],
    [73, 132, 298],
  ]);
});

it("detectForm takes the last row of a table at the foot of a page for places", async () => {
  const fields = await detect((pen) =>
    grid(pen, [50, 150, 250, 350], [690, 710, 730, 750, 770])
      .text("Name", 53, 703)
      .text("Born", 153, 703)
      .text("Visa", 253, 703),
  );
  expect(fields).toHaveLength(9);
});

it("detectForm takes a box of 14 points for a place to tick in small print", async () => {
  const [field, ...more] = await detect((pen) => pen.box(50, 100, 14, 12).text("I am a student", 70, 109, 6));
  expect(more).toEqual([]);
  expect(field).toMatchObject({ fieldType: "checkbox", label: "I am a student" });
});

it("detectForm follows a leader over the words that it leads to", async () => {
  const sources = async (draw: (pen: FormPen) => void): Promise<string[]> =>
    (await detect(draw, 0.01)).map(({ source }) => source);
  const dots = ".".repeat(60);
  expect(
    await sources((pen) => pen.text(`Credit ${dots}`, 50, 100).text("Form 309", 238, 100).text("12a", 290, 100)),
  ).not.toContain("leader");
  expect(
    await sources((pen) => pen.text(`Name ${dots}`, 50, 100).text("Born", 238, 100).text(dots, 262, 100)),
  ).toContain("leader");
});

it("detectForm joins an amount with its cents, and keeps a narrow column with a head of its own", async () => {
  const fields = await detect((pen) =>
    grid(pen, [400, 465, 483], [100, 118, 136]).text("Amount", 350, 112).text("Rest", 350, 130),
  );
  expect(fields.map((field) => [pointsOf(field)[0], pointsOf(field)[2]])).toEqual([
    [400, 483],
    [400, 483],
  ]);
  const named = await detect(
    (pen) =>
      grid(pen, [50, 150, 170, 270], [100, 118, 136]).text("Name", 53, 112).text("MI", 153, 112).text("City", 173, 112),
    0.01,
  );
  expect(named.map((field) => pointsOf(field)[2])).toContain(170);
});

it("detectForm finds the cells with a sign of money under the large heads of a table", async () => {
  const fields = await detect((pen) =>
    grid(pen, [50, 200, 350], [100, 130, 160])
      .text("Owner", 60, 118, 13)
      .text("Value", 210, 118, 13)
      .text("$", 204, 149, 9)
      .text("All that you own, with what it is worth today to you", 50, 90, 9),
  );
  expect(fields.map(({ label }) => label)).toEqual(["Owner", "Value"]);
});

it("detectForm writes behind each sign of money of a column, which is no head of the next one", async () => {
  const rows = [100, 118, 136, 154];
  const fields = await detect((pen) => {
    grid(pen, [50, 200, 350], rows);
    for (const y of rows.slice(0, -1)) pen.text(`Amount ${y}`, 60, y + 12, 9).text("$", 204, y + 12, 9);
  }, 0.9);
  expect(fields.map((field) => [field.label, pointsOf(field)[0]])).toEqual([
    ["Amount 100", 209],
    ["Amount 118", 209],
    ["Amount 136", 209],
  ]);
});

it("detectForm takes the same answer in many columns for a table of facts", async () => {
  const rows = (first: string, second: string): Promise<FieldDefinition[]> =>
    detect((pen) => grid(pen, [50, 150, 250], [100, 120]).text(first, 90, 113).text(second, 190, 113));
  expect(await rows("Yes", "Yes")).toEqual([]);
  expect((await rows("Yes", "No")).map(({ fieldType }) => fieldType)).toEqual(["radio", "radio"]);
});

it("detectForm judges a page of 2,916 cells in seconds", async () => {
  const places = (least: number, most: number): number[] =>
    Array.from({ length: 55 }, (_, index) => least + (index * (most - least)) / 54);
  const draw = (pen: FormPen): FormPen => grid(pen, places(20, 2_320), places(20, 3_000));
  const bytes = await drawnForm({ width: 2_400, height: 3_120, draw });
  const start = process.cpuUsage();
  expect(await detectForm(bytes)).toHaveLength(DETECTION_DEFAULTS.maxFieldsPerPage);
  expect(cpuSeconds(start)).toBeLessThan(4);
});
