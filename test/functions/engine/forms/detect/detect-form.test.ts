import { expect, it } from "vitest";
import { DETECTION_DEFAULTS } from "../../../../../functions/engine/forms/detect/define-fields.ts";
import { detectForm } from "../../../../../functions/engine/forms/detect/detect-form.ts";
import type { FieldDefinition } from "../../../../../functions/engine/forms/field-definition.ts";
import { type DrawnPage, drawnForm, type FormPen } from "../../../../support/drawn-form.ts";

const detect = async (...pages: DrawnPage[]): Promise<FieldDefinition[]> => detectForm(await drawnForm(...pages));
const on = (draw: (pen: FormPen) => void): DrawnPage => ({ draw });

/** `[left, top, right, bottom]` in whole points of a page. */
const pointsOf = ({ entryBbox }: FieldDefinition, width = 612, height = 792): number[] =>
  [entryBbox.left * width, entryBbox.top * height, entryBbox.right * width, entryBbox.bottom * height].map(Math.round);

const expectNear = (found: number[], wanted: number[], most: number): void => {
  expect(Math.max(...found.map((value, index) => Math.abs(value - (wanted[index] ?? 0))))).toBeLessThanOrEqual(most);
};

it("detectForm finds the line after its label", async () => {
  const [field, ...more] = await detect(on((pen) => pen.text("Full name:", 50, 100).line(100, 102, 300, 102)));
  expect(more).toEqual([]);
  expect(field).toMatchObject({ fieldType: "text", label: "Full name:", fieldName: "full_name", source: "rule" });
  expectNear(field === undefined ? [] : pointsOf(field), [100, 87, 300, 102], 2);
});

it("detectForm finds the line over its caption", async () => {
  const fields = await detect(on((pen) => pen.line(100, 200, 300, 200).text("Place of birth", 100, 209, 8)));
  expect(fields.map(({ label }) => label)).toEqual(["Place of birth"]);
});

it("detectForm divides a line by the captions under it", async () => {
  const fields = await detect(
    on((pen) =>
      pen.line(50, 200, 450, 200).text("Street", 50, 209, 8).text("City", 220, 209, 8).text("Zip", 370, 209, 8),
    ),
  );
  expect(fields.map(({ label }) => label)).toEqual(["Street", "City", "Zip"]);
});

it("detectForm divides a line by the captions over it, behind the number of the line", async () => {
  const page = on((pen) =>
    pen
      .text("9", 50, 182, 9)
      .text("City", 65, 182, 9)
      .text("State", 220, 182, 9)
      .text("Zip", 370, 182, 9)
      .line(50, 200, 450, 200),
  );
  const fields = await detectForm(await drawnForm(page), { ...DETECTION_DEFAULTS, minConfidence: 0.01 });
  expect(fields.map((field) => pointsOf(field)[0])).toEqual([50, 220, 370]);
});

it("detectForm finds underscores", async () => {
  const [field] = await detect(on((pen) => pen.text("Phone: ____________________", 50, 100)));
  expect(field).toMatchObject({ fieldType: "text", label: "Phone:" });
  expectNear(field === undefined ? [] : pointsOf(field), [81, 87, 181, 102], 3);
});

it("detectForm finds a cell under its label, and leaves out a rule under running text", async () => {
  const fields = await detect(
    on((pen) =>
      pen
        .box(50, 100, 200, 30)
        .text("Last name", 53, 109, 8)
        .box(250, 100, 200, 30)
        .text("First name", 253, 109, 8)
        .text("The law asks for all of this, and more of it.", 50, 200)
        .line(50, 203, 230, 203),
    ),
  );
  expect(fields.map(({ label, source }) => [label, source])).toEqual([
    ["Last name", "cell"],
    ["First name", "cell"],
  ]);
});

it("detectForm finds the empty cells of a table and names them by row and column", async () => {
  const rows = [100, 120, 140, 160];
  const columns = [50, 88, 188, 288];
  const fields = await detect(
    on((pen) => {
      for (const y of rows) pen.line(50, y, 288, y);
      for (const x of columns) pen.line(x, 100, x, 160);
      pen.text("Income", 91, 114).text("Tax", 191, 114).text("Wages", 53, 134).text("Rent", 53, 154);
    }),
  );
  expect(fields.map(({ label }) => label)).toEqual(["Wages Income", "Wages Tax", "Rent Income", "Rent Tax"]);
});

it("detectForm finds drawn checkboxes with the words right of them", async () => {
  const fields = await detect(
    on((pen) => pen.box(50, 100, 9, 9).text("Married", 63, 108).box(150, 100, 9, 9).text("Single", 163, 108)),
  );
  expect(fields.map(({ fieldType, label }) => [fieldType, label])).toEqual([
    ["checkbox", "Married"],
    ["checkbox", "Single"],
  ]);
  expectNear(fields[0] === undefined ? [] : pointsOf(fields[0]), [50, 100, 59, 109], 1);
});

it("detectForm takes yes and no for radio buttons of one question", async () => {
  const fields = await detect(
    on((pen) =>
      pen
        .text("Are you insured?", 50, 108)
        .box(150, 100, 9, 9)
        .text("Yes", 163, 108)
        .box(200, 100, 9, 9)
        .text("No", 213, 108),
    ),
  );
  expect(fields.map(({ fieldType, options }) => [fieldType, options])).toEqual([
    ["radio", ["Yes"]],
    ["radio", ["No"]],
  ]);
  expect(new Set(fields.map(({ group }) => group))).toEqual(new Set(["are_you_insured"]));
  expect(fields.map(({ fieldName }) => fieldName)).toEqual(["are_you_insured_yes", "are_you_insured_no"]);
});

it("detectForm divides a line by two captions under it", async () => {
  const fields = await detect(
    on((pen) => pen.line(50, 200, 350, 200).text("Your name", 50, 209, 8).text("Date", 280, 209, 8)),
  );
  expect(fields.map(({ label }) => label)).toEqual(["Your name", "Date"]);
});

it("detectForm takes circles for radio buttons", async () => {
  const fields = await detect(
    on((pen) => pen.circle(54, 104, 4).text("Male", 63, 108).circle(124, 104, 4).text("Female", 133, 108)),
  );
  expect(fields.map(({ fieldType, label }) => [fieldType, label])).toEqual([
    ["radio", "Male"],
    ["radio", "Female"],
  ]);
});

it("detectForm finds empty brackets", async () => {
  const fields = await detect(on((pen) => pen.text("[   ] Petitioner", 50, 108).text("[   ] Respondent", 200, 108)));
  expect(fields.map(({ fieldType, source, label }) => [fieldType, source, label])).toEqual([
    ["checkbox", "glyph", "Petitioner"],
    ["checkbox", "glyph", "Respondent"],
  ]);
});

it("detectForm joins the cells of a comb", async () => {
  const fields = await detect(
    on((pen) => {
      pen.text("Number", 50, 112);
      for (let cell = 0; cell < 9; cell += 1) pen.box(100 + 14 * cell, 100, 14, 16);
    }),
  );
  expect(fields).toHaveLength(1);
  expect(fields[0]).toMatchObject({ fieldType: "text", comb: 9, label: "Number" });
});

it("detectForm joins rules under each other to a text of several lines", async () => {
  const fields = await detect(
    on((pen) => {
      pen.text("Reasons for the request:", 50, 95);
      for (let line = 0; line < 4; line += 1) pen.line(50, 115 + 18 * line, 500, 115 + 18 * line);
    }),
  );
  expect(fields.map(({ fieldType }) => fieldType)).toEqual(["multiline"]);
  expectNear(fields[0] === undefined ? [] : pointsOf(fields[0]), [50, 100, 500, 169], 3);
});

it("detectForm tells lines to sign and to date by their labels", async () => {
  const fields = await detect(
    on((pen) =>
      pen
        .line(50, 200, 300, 200)
        .text("Signature of applicant", 50, 209, 8)
        .line(350, 200, 500, 200)
        .text("Date", 350, 209, 8),
    ),
  );
  expect(fields.map(({ fieldType }) => fieldType)).toEqual(["signature", "date"]);
});

it("detectForm finds the same places on a rotated page", async () => {
  const draw = (pen: FormPen): void => {
    pen.text("Full name:", 50, 100).line(100, 102, 300, 102).text("Town:", 50, 140).line(100, 142, 300, 142);
  };
  const turned = await detect({ draw, rotation: 90 });
  expect(turned.map(({ label }) => label)).toEqual(["Full name:", "Town:"]);
  // Clockwise: down the page becomes to the left.
  expectNear(turned[0] === undefined ? [] : pointsOf(turned[0], 792, 612), [690, 100, 705, 300], 2);
});

it("detectForm counts from the corner of the crop box", async () => {
  const [field] = await detect({ crop: 36, draw: (pen) => pen.text("Full name:", 50, 100).line(100, 102, 300, 102) });
  expectNear(field === undefined ? [] : pointsOf(field, 540, 720), [64, 51, 264, 66], 2);
});

it("detectForm finds places on a page of 100 × 100 inches", async () => {
  const [field, ...more] = await detect({
    width: 7200,
    height: 7200,
    draw: (pen) => pen.text("Full name:", 500, 1000, 40).line(740, 1010, 2000, 1010),
  });
  expect(more).toEqual([]);
  expect(field?.label).toBe("Full name:");
});

it("detectForm returns the surest of a page up to the limit, with unique names", async () => {
  const bytes = await drawnForm(
    on((pen) => {
      for (let index = 0; index < 400; index += 1)
        pen
          .box(30 + 28 * (index % 20), 40 + 36 * Math.floor(index / 20), 8, 8)
          .text("Ok", 40 + 28 * (index % 20), 48 + 36 * Math.floor(index / 20), 7);
    }),
  );
  const all = await detectForm(bytes, { ...DETECTION_DEFAULTS, maxFieldsPerPage: 1000 });
  expect(all).toHaveLength(400);
  expect(new Set(all.map(({ fieldName }) => fieldName)).size).toBe(400);
  expect(await detectForm(bytes)).toHaveLength(DETECTION_DEFAULTS.maxFieldsPerPage);
});

it("detectForm finds nothing on a page of text", async () => {
  const fields = await detect(
    on((pen) => {
      for (let line = 0; line < 40; line += 1)
        pen.text("A form is not what this page is, it only talks about one.", 60, 60 + 16 * line);
    }),
  );
  expect(fields).toEqual([]);
});

it("detectForm searches the pages wanted only", async () => {
  const page = on((pen) => pen.text("Full name:", 50, 100).line(100, 102, 300, 102));
  const found = await detectForm(await drawnForm(page, page, page), DETECTION_DEFAULTS, { pages: [2, 9] });
  expect(found.map(({ pageNumber }) => pageNumber)).toEqual([2]);
});

it("detectForm searches 50 pages of 100 lines each", async () => {
  const page = on((pen) => {
    for (let index = 0; index < 100; index += 1) {
      const [x, y] = [30 + 110 * (index % 5), 70 + 33 * Math.floor(index / 5)];
      pen.line(x, y, x + 90, y).text(`Item ${index}`, x, y + 7, 6);
    }
  });
  const fields = await detectForm(await drawnForm(...Array.from({ length: 50 }, () => page)));
  expect(fields).toHaveLength(5_000);
  expect(fields.at(-1)).toMatchObject({ pageNumber: 50, label: "Item 99", fieldName: "item_99_50" });
});
