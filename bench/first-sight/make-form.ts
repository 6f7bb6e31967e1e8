/**
 * Makes the documents of a set that no repository has: forms that are filled, flattened or scanned. The same source,
 * values and versions of poppler, qpdf and sharp give the same bytes.
 */
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { PDFDict, PDFDocument, type PDFField, PDFName, PDFTextField } from "@cantoo/pdf-lib";
import { degradeLikeScan } from "../ocr/pages.ts";

/** Values by the full name of a form field: a text, the name of a button's state, or true for its only one. */
export type FormValues = Readonly<Record<string, string | true>>;

export interface MakingRecipe {
  /** `filled`: values in form fields; `flattened`: in the page content; `scanned`: pictures of the pages. */
  as: "filled" | "flattened" | "scanned";
  /** Name of the values among the set's `fills`; absent for a form that stays as it is. */
  fill?: string;
  /** First and last page that is scanned; absent for all. */
  pages?: readonly [number, number];
}

const run = promisify(execFile);

const SCAN_DPI = 200;
/** A fair office scanner: degrees clockwise, pixels of blur, noise of 255, JPEG quality. */
const FAIR_SCANNER = { angle: 0.5, blur: 0.4, noise: 8, quality: 75 };
const POINTS_PER_INCH = 72;

function press(field: PDFField, value: string | true): void {
  for (const widget of field.acroField.getWidgets()) {
    const states = widget.dict.lookupMaybe(PDFName.of("AP"), PDFDict)?.lookupMaybe(PDFName.of("N"), PDFDict)?.keys();
    const on = (states ?? []).map((state) => state.decodeText()).find((state) => state !== "Off");
    const isOn = on !== undefined && (value === true || on === value);
    widget.dict.set(PDFName.of("AS"), PDFName.of(isOn ? on : "Off"));
    if (isOn) field.acroField.dict.set(PDFName.of("V"), PDFName.of(on));
  }
}

async function fillForm(source: Uint8Array, values: FormValues): Promise<Uint8Array> {
  const document = await PDFDocument.load(source, { updateMetadata: false });
  const form = document.getForm();
  for (const [name, value] of Object.entries(values)) {
    const field = form.getField(name);
    if (!(field instanceof PDFTextField)) press(field, value);
    else if (value !== true) field.setText(value);
  }
  return document.save({ updateFieldAppearances: true });
}

async function flatten(source: Uint8Array, folder: string): Promise<Uint8Array> {
  const [given, flat] = [path.join(folder, "filled.pdf"), path.join(folder, "flat.pdf")];
  await writeFile(given, source);
  await run("qpdf", ["--warning-exit-0", "--deterministic-id", "--flatten-annotations=all", given, flat]);
  return readFile(flat);
}

async function scan(source: Uint8Array, folder: string, pages: MakingRecipe["pages"]): Promise<Uint8Array> {
  const given = path.join(folder, "filled.pdf");
  await writeFile(given, source);
  const range = pages === undefined ? [] : ["-f", String(pages[0]), "-l", String(pages[1])];
  await run("pdftoppm", ["-r", String(SCAN_DPI), "-gray", "-png", ...range, given, path.join(folder, "page")]);
  const pictures = (await readdir(folder)).filter((file) => file.endsWith(".png")).sort();
  const document = await PDFDocument.create({ updateMetadata: false });
  for (const picture of pictures) {
    const image = await document.embedJpg(
      await degradeLikeScan(await readFile(path.join(folder, picture)), FAIR_SCANNER),
    );
    const [width, height] = [image.width, image.height].map((pixels) => (pixels * POINTS_PER_INCH) / SCAN_DPI);
    const size = { width: width ?? 0, height: height ?? 0 };
    document.addPage([size.width, size.height]).drawImage(image, { x: 0, y: 0, ...size });
  }
  return document.save();
}

/** @param source a PDF as its repository has it @throws Error without qpdf or poppler */
export async function makeForm(
  source: Uint8Array,
  recipe: MakingRecipe,
  fills: Readonly<Record<string, FormValues>>,
): Promise<Uint8Array> {
  const values = recipe.fill === undefined ? undefined : fills[recipe.fill];
  const filled = values === undefined ? source : await fillForm(source, values);
  if (recipe.as === "filled") return filled;
  const folder = await mkdtemp(path.join(tmpdir(), "first-sight-form-"));
  try {
    return recipe.as === "flattened" ? await flatten(filled, folder) : await scan(filled, folder, recipe.pages);
  } finally {
    await rm(folder, { recursive: true });
  }
}
