/** An application form as its readers meet it: with fields, flattened, filled or blank. Names of fields tell nothing. */
import { type PDFDocument, type PDFForm, PDFDocument as Pdf, rgb, StandardFonts } from "@cantoo/pdf-lib";

/** Printed label, name of the field, and value of each text field, in three columns. */
const TEXTS = [
  ["Last name", "f1_01", "Marchetti"],
  ["First name", "f1_02", "Odile"],
  ["Date of birth (mm/dd/yyyy)", "f1_03", "04/09/1986"],
  ["Street address", "f1_04", "12 Quince Lane"],
  ["City", "f1_05", "Astoria"],
  ["ZIP code", "f1_06", "97103"],
  ["Email", "f1_07", "odile@example.org"],
  ["Monthly income", "f1_08", "2,450.00"],
  ["Occupation", "f1_09", ""],
  ["Employer", "f1_10", "Harbor Clinic"],
  ["Daytime phone", "f1_11", ""],
  ["Emergency contact", "f1_12", ""],
] as const;

const COLUMN_POINTS = 180;
const ROW_POINTS = 48;

function drawTexts(document: PDFDocument, form: PDFForm, filled: boolean): void {
  const [page] = document.getPages();
  for (const [index, [label, name, value]] of TEXTS.entries()) {
    const [x, y] = [40 + (index % 3) * COLUMN_POINTS, 640 - Math.floor(index / 3) * ROW_POINTS];
    page?.drawText(label, { x: x + 3, y: y + 27, size: 7 });
    page?.drawRectangle({ x, y, width: COLUMN_POINTS, height: 36, borderWidth: 0.5, borderColor: rgb(0, 0, 0) });
    const field = form.createTextField(name);
    if (filled && value !== "") field.setText(value);
    field.addToPage(page as NonNullable<typeof page>, {
      x: x + 3,
      y: y + 3,
      width: COLUMN_POINTS - 6,
      height: 18,
      borderWidth: 0,
    });
  }
}

/** Boxes to tick with their captions: a question with two answers, one of three, and two boxes by themselves. */
function drawBoxes(document: PDFDocument, form: PDFForm, filled: boolean): void {
  const [page] = document.getPages();
  const box = (name: string, caption: string, x: number, y: number, ticked: boolean): void => {
    page?.drawText(caption, { x: x + 16, y: y + 2, size: 8 });
    page?.drawRectangle({ x, y, width: 10, height: 10, borderWidth: 0.7, borderColor: rgb(0, 0, 0) });
    const field = form.createCheckBox(name);
    field.addToPage(page as NonNullable<typeof page>, { x, y, width: 10, height: 10, borderWidth: 0 });
    if (ticked && filled) field.check();
  };
  page?.drawText("Do you own a vehicle?", { x: 40, y: 422, size: 8 });
  box("c1_01", "Yes", 160, 420, false);
  box("c1_02", "No", 210, 420, true);
  page?.drawText("Marital status:", { x: 40, y: 392, size: 8 });
  for (const [index, caption] of ["Single", "Married", "Widowed"].entries())
    box(`c2_0${index}`, caption, 120 + index * 80, 390, caption === "Married");
  box("c3_01", "I need an interpreter", 40, 360, true);
  box("c3_02", "I am a veteran", 40, 340, false);
}

/** @param flatten makes the values part of the page, and leaves no field */
export async function applicationForm({ filled, flatten }: { filled: boolean; flatten: boolean }): Promise<Uint8Array> {
  const document = await Pdf.create();
  const page = document.addPage([612, 792]);
  page.setFont(await document.embedFont(StandardFonts.Helvetica));
  page.drawText("Application for assistance", { x: 40, y: 720, size: 16 });
  page.drawText("Form 7-118 (revised 03/2021). Print clearly and answer every question.", { x: 40, y: 700, size: 7 });
  const form = document.getForm();
  drawTexts(document, form, filled);
  drawBoxes(document, form, filled);
  if (flatten) form.flatten();
  return document.save();
}

/** A user's questions, in other words than the form's. */
export const APPLICATION_SCHEMA = {
  type: "object",
  properties: {
    surname: { type: "string" },
    given_name: { type: "string" },
    dob: { type: "string", format: "date" },
    address: {
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" }, postcode: { type: "string" } },
    },
    e_mail: { type: "string" },
    income_per_month: { type: "number", description: "Monthly income" },
    profession: { type: "string" },
    employer: { type: "string" },
    telephone: { type: "string" },
    owns_vehicle: { type: "boolean", description: "Does the applicant own a vehicle?" },
    marital_status: { enum: ["single", "married", "widowed"] },
    needs_interpreter: { type: "boolean" },
    is_veteran: { type: "boolean" },
    form_number: { type: "string" },
  },
};
