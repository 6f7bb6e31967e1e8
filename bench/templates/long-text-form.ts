/** A form with one field for a long text, of automatic size, and the text. */
import { PDFDocument } from "@cantoo/pdf-lib";
import type { Json } from "../../functions/ports/json.ts";

const SENTENCE = "The tenant shall return the keys of the flat to the landlord on the last day of the term. ";

export async function longTextForm(characters: number): Promise<{ bytes: Uint8Array; fields: Record<string, Json> }> {
  const document = await PDFDocument.create();
  const page = document.addPage([612, 792]);
  const field = document.getForm().createTextField("text");
  field.enableMultiline();
  field.addToPage(page, { x: 50, y: 50, width: 500, height: 650 });
  const text = SENTENCE.repeat(Math.ceil(characters / SENTENCE.length)).slice(0, characters);
  return { bytes: await document.save(), fields: { text } };
}
