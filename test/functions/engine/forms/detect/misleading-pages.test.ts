/** Things on a page that are taken for places to write by mistake, or hide them. */
import { expect, it } from "vitest";
import { DETECTION_DEFAULTS } from "../../../../../functions/engine/forms/detect/define-fields.ts";
import { detectForm } from "../../../../../functions/engine/forms/detect/detect-form.ts";
import type { FieldDefinition } from "../../../../../functions/engine/forms/field-definition.ts";
import { type DrawnPage, drawnForm, type FormPen } from "../../../../support/drawn-form.ts";

const detect = async (page: DrawnPage): Promise<FieldDefinition[]> => detectForm(await drawnForm(page));
const on = (draw: (pen: FormPen) => void): DrawnPage => ({ draw });

/** `[left, top, right, bottom]` in whole points of a page of 612 × 792 points. */
const pointsOf = ({ entryBbox: { left, top, right, bottom } }: FieldDefinition): number[] =>
  [left * 612, top * 792, right * 612, bottom * 792].map(Math.round);

it("detectForm looks through a watermark across the page", async () => {
  const draw = (pen: FormPen): FormPen =>
    pen.text("Full name:", 150, 400).line(200, 402, 400, 402).text("City:", 150, 450).line(200, 452, 400, 452);
  const plain = await detect(on(draw));
  const marked = await detect(on((pen) => draw(pen).slantedText("COPY ONLY", 150, 600, { size: 60 })));
  expect(plain.map(({ label }) => label)).toEqual(["Full name:", "City:"]);
  expect(marked).toEqual(plain);
});

it("detectForm keeps the labels of a page that lies askew", async () => {
  const fields = await detect(on((pen) => pen.line(100, 200, 300, 200).slantedText("Place", 100, 209, { angle: 2 })));
  expect(fields.map(({ label }) => label)).toEqual(["Place"]);
});

it("detectForm takes ovals for radio buttons, to the outer edge of their stroke", async () => {
  const fields = await detect(
    on((pen) => pen.oval(60, 104, 11, 4, 2).text("Yes", 80, 108).oval(130, 104, 11, 4, 2).text("No", 150, 108)),
  );
  expect(fields.map(({ fieldType, label }) => [fieldType, label])).toEqual([
    ["radio", "Yes"],
    ["radio", "No"],
  ]);
  expect(fields.map((field) => pointsOf(field))).toEqual([
    [48, 99, 72, 109],
    [118, 99, 142, 109],
  ]);
});

it("detectForm takes a lone square cell for a place to tick, though the lines of its frame cross", async () => {
  const [field, ...more] = await detect(
    on((pen) =>
      pen
        .line(48, 100, 62, 100)
        .line(48, 110, 62, 110)
        .line(50, 98, 50, 112)
        .line(60, 98, 60, 112)
        .text("Agreed", 70, 109),
    ),
  );
  expect(more).toEqual([]);
  expect(field).toMatchObject({ fieldType: "checkbox", label: "Agreed" });
});

it("detectForm seeks no further mark for an answer before its own box", async () => {
  const fields = await detect(on((pen) => pen.text("Yes", 50, 109).box(72, 100, 10, 10)));
  expect(fields.map((field) => pointsOf(field))).toEqual([[72, 100, 82, 110]]);
});

it("detectForm takes a leader for a place only where it leads to nothing", async () => {
  const all = { ...DETECTION_DEFAULTS, minConfidence: 0.01 };
  const sources = async (draw: (pen: FormPen) => void): Promise<string[]> =>
    (await detectForm(await drawnForm(on(draw)), all)).map(({ source }) => source);
  const dots = ".".repeat(60);
  expect(await sources((pen) => pen.text(`Name ${dots}`, 50, 100))).toContain("leader");
  expect(await sources((pen) => pen.text(`Wages ${dots}`, 50, 100).text("12a", 240, 100))).not.toContain("leader");
  expect(await sources((pen) => pen.text(`Wages ${dots}`, 50, 100).box(240, 88, 90, 16))).not.toContain("leader");
});

it("detectForm takes the edges of a box with rounded corners for no lines", async () => {
  const fields = await detect(
    on((pen) => pen.roundedBox(100, 200, 180, 50).text("Fill in circle if no tax", 125, 222).text("is due.", 125, 234)),
  );
  expect(fields.map(({ source }) => source)).not.toContain("rule");
});
