/** Faults that users report of other tools for forms, by their names. */
import { PDFDocument } from "@cantoo/pdf-lib";
import { describe, expect, it } from "vitest";
import { describeForm } from "../../../../../functions/engine/templates/pdf/describe-form.ts";
import { fill, ink, Objects } from "../../../../support/filled-form.ts";
import { handForm, look } from "../../../../support/hand-form.ts";

const BOX = [20, 20, 40, 40] as const;
const LINE = [20, 60, 380, 80] as const;
const box = (more: string) => `/FT /Btn /T (box) /Rect [${BOX.join(" ")}] ${more}`;
const line = (more = "") => `/FT /Tx /T (line) /Rect [${LINE.join(" ")}] ${more}`;

describe("a form that is filled", () => {
  it("has no checkbox without a resolved appearance, which viewers answer with an error", async () => {
    const form = handForm({ widgets: [box("/AP <</N 100 0 R>>")], objects: ["100 0 obj <</Yes 199 0 R>> endobj"] });
    const objects = await Objects.of((await fill(form, { box: true })).bytes);
    for (const state of ["Yes", "Off"]) expect(objects.operators(0, state)).toBeTypeOf("string");
    expect(objects.text(0, "AS")).toBe("/Yes");
  });

  it("makes libraries throw no `Unexpected N type`", async () => {
    const form = handForm({ widgets: [box("/AP <</N 7>>"), line("/AP <</N null>>")] });
    const { bytes } = await fill(form, { box: true, line: "x" });
    const document = await PDFDocument.load(bytes);
    document.getForm().getCheckBox("box").uncheck();
    document.getForm().flatten();
    expect((await document.save()).length).toBeGreaterThan(0);
  });

  it("shows no invisible Cyrillic", async () => {
    const { bytes } = await fill(handForm({ widgets: [line()] }), { line: "Кириллица" });
    expect(await ink(bytes, LINE)).toBeGreaterThan(100);
  });

  it("shows no boxes for missing glyphs in comb fields", async () => {
    const comb = handForm({ widgets: [line("/Ff 16777216 /MaxLen 8")] });
    const drawn = await Promise.all(
      ["Ж", "中", "한"].map(async (text) => ink((await fill(comb, { line: text })).bytes, LINE)),
    );
    // Missing glyphs look all the same.
    expect(new Set(drawn).size).toBe(drawn.length);
    expect(Math.min(...drawn)).toBeGreaterThan(15);
  });

  it("loses no tick when it is flattened", async () => {
    const form = handForm({
      widgets: [box("/AP <</N <</Ja 100 0 R>>>>"), line()],
      objects: [look(100, "2 2 16 16 re f")],
    });
    const { bytes } = await fill(form, { box: true }, { flatten: true });
    expect((await describeForm(bytes)).fields).toEqual([]);
    expect(await ink(bytes, BOX)).toBeGreaterThan(200);
  });

  it("is not flattened by being read-only: its fields are listed and filled", async () => {
    const form = handForm({ widgets: [line("/Ff 1 /V (before)")] });
    expect((await describeForm(form)).fields).toMatchObject([{ name: "line", flags: ["readOnly"], value: "before" }]);
    const { bytes } = await fill(form, { line: "after" });
    expect((await describeForm(bytes)).fields).toMatchObject([{ name: "line", flags: ["readOnly"], value: "after" }]);
  });
});
