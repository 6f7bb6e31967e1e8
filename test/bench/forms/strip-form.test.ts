import { PDFDocument } from "@cantoo/pdf-lib";
import { expect, it } from "vitest";
import { stripForm } from "../../../bench/forms/strip-form.ts";
import { acroFormMetadata } from "../../../functions/engine/forms/acroform/acroform-metadata.ts";
import { detectForm } from "../../../functions/engine/forms/detect/detect-form.ts";
import { renderPage } from "../../../functions/engine/readers/pdf/render-page.ts";

/** A page with a printed line and a text field, a value in it, and a checkbox that only its widget draws. */
async function formWithWidgets(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const page = document.addPage([300, 200]);
  page.drawText("Name", { x: 20, y: 150, size: 10 });
  const form = document.getForm();
  const text = form.createTextField("person.name");
  text.setText("Ada");
  text.addToPage(page, { x: 60, y: 145, width: 150, height: 18 });
  form.createCheckBox("agreed").addToPage(page, { x: 60, y: 100, width: 12, height: 12 });
  return document.save();
}

const darkPixels = async (bytes: Uint8Array): Promise<number> => {
  const { rgba, width } = await renderPage(bytes, 0, 72);
  let dark = 0;
  // The checkbox and the text field; the printed word is left of them.
  for (let at = 0; at < rgba.length; at += 4) if ((at / 4) % width >= 58 && (rgba[at] ?? 255) < 128) dark += 1;
  return dark;
};

it("stripForm leaves no trace of fields and widgets in the bytes", async () => {
  const flat = Buffer.from(await stripForm(await formWithWidgets())).toString("latin1");
  for (const trace of ["/AcroForm", "/Widget", "/FT", "person", "agreed", "Ada", "/XFA"])
    expect(flat).not.toContain(trace);
});

it("stripForm leaves nothing that the detector or a reader could see", async () => {
  const form = await formWithWidgets();
  const flat = await stripForm(form);
  expect(await darkPixels(form)).toBeGreaterThan(0);
  expect(await darkPixels(flat)).toBe(0);
  expect((await acroFormMetadata(flat)).fields).toEqual([]);
  expect(await detectForm(flat)).toEqual([]);
});
