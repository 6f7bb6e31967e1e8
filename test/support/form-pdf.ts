/** PDF forms to fill, and the values of a filled one. */
import { PDFCheckBox, PDFDocument, PDFDropdown, PDFHexString, PDFName, PDFTextField } from "@cantoo/pdf-lib";

export interface FormOptions {
  /** One more text field. */
  extra?: string;
  /** Text fields in the place of all others. */
  names?: readonly string[];
  /** Adds a field with a signature, whose bytes are none. */
  signed?: boolean;
  /** Encrypts the form. */
  ownerPassword?: string;
  /** Filling the encrypted form is allowed (default). */
  mayFill?: boolean;
  /** Without it everybody opens the form. */
  userPassword?: string;
}

/** A form with a field of each common type. */
export async function templatePdf({ extra, names, ...options }: FormOptions = {}): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const page = document.addPage([612, 792]);
  const form = document.getForm();
  const label = (row: number, text: string) => page.drawText(text, { x: 50, y: 705 - 40 * row, size: 11 });
  const place = (row: number) => ({ x: 150, y: 700 - 40 * row, width: 200, height: 20, borderWidth: 0 });
  const texts = names ?? ["applicant.name", "applicant.city"];
  for (const [row, name] of texts.entries()) {
    label(row, name.replace(/^.*\./, ""));
    form.createTextField(name).addToPage(page, place(row));
  }
  if (names === undefined) {
    const tooltip = PDFHexString.fromText("Full name");
    form.getTextField("applicant.name").acroField.dict.set(PDFName.of("TU"), tooltip);
    for (const [row, text] of [
      [2, "I agree"],
      [3, "Status"],
    ] as const)
      label(row, text);
    form.createCheckBox("agreed").addToPage(page, { ...place(2), width: 20 });
    const status = form.createDropdown("status");
    status.addOptions(["Single", "Married"]);
    status.addToPage(page, place(3));
    form.createButton("logo").addToPage("Logo", page, place(4));
  }
  if (extra !== undefined) form.createTextField(extra).addToPage(page, place(5));
  if (options.signed === true) addSignature(document);
  const { ownerPassword, userPassword } = options;
  if (ownerPassword === undefined) return document.save();
  document.encrypt({
    algorithm: "AES-256",
    ownerPassword,
    ...(userPassword === undefined ? {} : { userPassword }),
    permissions: { fillingForms: options.mayFill ?? true, annotating: false, modifying: false },
  });
  // The library encrypts streams only: the texts of a form that opens must stand in one.
  return document.save({ useObjectStreams: userPassword === undefined });
}

function addSignature(document: PDFDocument): void {
  const { context, catalog } = document;
  const value = context.obj({ Type: "Sig", Filter: "Adobe.PPKLite", ByteRange: [0, 1, 2, 3] });
  const field = context.obj({ FT: "Sig", V: context.register(value), T: PDFHexString.fromText("signature") });
  const form = catalog.getOrCreateAcroForm();
  form.addField(context.register(field));
  form.dict.set(PDFName.of("SigFlags"), context.obj(3));
}

/** The values of a form's text fields, boxes and lists, as texts; those without a value are left out. */
export async function fieldsOf(bytes: Uint8Array): Promise<Record<string, string>> {
  const document = await PDFDocument.load(bytes);
  const values = document
    .getForm()
    .getFields()
    .flatMap((field): [string, string][] => {
      if (field instanceof PDFCheckBox) return [[field.getName(), String(field.isChecked())]];
      const value =
        field instanceof PDFTextField
          ? field.getText()
          : field instanceof PDFDropdown
            ? field.getSelected()[0]
            : undefined;
      return value === undefined ? [] : [[field.getName(), value]];
    });
  return Object.fromEntries(values);
}
