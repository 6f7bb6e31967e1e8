/** Filling with the PDF library alone, as its documentation shows it: load, set the values, save. */
import { PDFCheckBox, PDFDocument, PDFDropdown, PDFOptionList, PDFRadioGroup, PDFTextField } from "@cantoo/pdf-lib";
import type { Probe } from "./probe-values.ts";

/** Sets a value; fields that the library does not take a value for stay as they are. */
function setValue(form: ReturnType<PDFDocument["getForm"]>, { field, value }: Probe): void {
  try {
    const own = form.getField(field.name);
    if (own instanceof PDFTextField) own.setText(String(value));
    else if (own instanceof PDFCheckBox) {
      if (value === false) own.uncheck();
      else own.check();
    } else if (own instanceof PDFDropdown || own instanceof PDFOptionList || own instanceof PDFRadioGroup) {
      own.select(String(value));
    }
  } catch {
    // It knows fewer fields and values than the form has.
  }
}

/** Fills a form with the library alone. */
export async function fillBare(bytes: Uint8Array, probes: readonly Probe[]): Promise<Uint8Array> {
  const document = await PDFDocument.load(bytes, { password: "", updateMetadata: false, preserveXFA: true });
  const form = document.getForm();
  for (const probe of probes) setValue(form, probe);
  return document.save();
}
