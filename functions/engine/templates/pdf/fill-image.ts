/** Draws pictures into fields: buttons, texts and signatures. */
import { PDFName } from "@cantoo/pdf-lib";
import { BadRequest } from "../../../ports/errors.ts";
import type { Json } from "../../../ports/json.ts";
import { badValue } from "../field-values.ts";
import { isImageReference } from "../template.ts";
import { makeAppearance, setAppearance } from "./appearance.ts";
import type { FillContext, FormField, PDFImageSize } from "./form-fields.ts";
import { readLook } from "./widget-look.ts";

const POINTS_PER_MILLIMETRE = 72 / 25.4;
const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47] as const;

/** Fields that a picture can stand in. */
const TAKES_IMAGES: ReadonlySet<string> = new Set(["button", "text", "multiline", "signature"]);

/** Most pixels of a picture: 25 million, as of a large photograph, which take 100 MB unpacked. */
const MAX_PNG_PIXELS = 25_000_000;
/** Place of the width and the height in a PNG file (its IHDR chunk). */
const PNG_SIZE_OFFSET = 16;

/** A small file may unpack to gigabytes. @throws BadRequest for a picture with too many pixels */
function checkPixels(bytes: Uint8Array, field: string): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const pixels = view.getUint32(PNG_SIZE_OFFSET) * view.getUint32(PNG_SIZE_OFFSET + 4);
  if (pixels > MAX_PNG_PIXELS) {
    throw badValue(
      field,
      `The picture of the field ${field} has more than ${MAX_PNG_PIXELS / 1e6} million pixels; make it smaller`,
    );
  }
}

async function embedImage(context: FillContext, reference: string, field: string): Promise<PDFImageSize> {
  const known = context.embedded.get(reference);
  if (known !== undefined) return known;
  const bytes = context.images.get(reference);
  if (bytes === undefined) throw badValue(field, `The field ${field} names a picture that is not there: ${reference}`);
  try {
    const isPng = PNG_SIGNATURE.every((byte, index) => bytes[index] === byte);
    if (isPng) checkPixels(bytes, field);
    const { ref, width, height } = await (isPng ? context.document.embedPng(bytes) : context.document.embedJpg(bytes));
    const size = { ref, width, height };
    context.embedded.set(reference, size);
    return size;
  } catch (cause) {
    if (cause instanceof BadRequest) throw cause;
    throw badValue(field, `The picture of the field ${field} cannot be read; upload it as PNG or JPEG`);
  }
}

/** A measure of a reference, in points. @throws BadRequest unless it is a number above 0 */
function measure(field: string, value: Json | undefined, member: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "number" || !(value > 0)) {
    throw badValue(field, `In the field ${field}, ${member} takes a number of millimetres above 0`);
  }
  return value * POINTS_PER_MILLIMETRE;
}

/** Size of a picture in a place, in points: the measures given, else as large as the place, in its proportions. */
function sizeIn(
  image: PDFImageSize,
  place: { width: number; height: number },
  wanted: { width: number | undefined; height: number | undefined },
): { width: number; height: number } {
  const ratio = image.width / image.height;
  const free =
    wanted.width !== undefined && wanted.height !== undefined
      ? { width: wanted.width, height: wanted.height }
      : wanted.width !== undefined
        ? { width: wanted.width, height: wanted.width / ratio }
        : wanted.height !== undefined
          ? { width: wanted.height * ratio, height: wanted.height }
          : { width: Math.min(place.width, place.height * ratio), height: Math.min(place.height, place.width / ratio) };
  // A picture that would stand out of its field is made smaller, in its proportions.
  const scale = Math.min(1, place.width / free.width, place.height / free.height);
  return { width: free.width * scale, height: free.height * scale };
}

const round = (value: number): number => Math.round(value * 1000) / 1000;

/**
 * Draws a picture in the middle of a field's widgets.
 * @throws BadRequest for a field that takes none, a missing picture, or one that is neither PNG nor JPEG
 */
export async function fillImage(context: FillContext, field: FormField, value: Json): Promise<void> {
  const { name, type } = field;
  if (!isImageReference(value)) throw badValue(name, `The field ${name} takes a picture: {"_ref": …}`);
  if (!TAKES_IMAGES.has(type)) throw badValue(name, `The field ${name} is of the type ${type} and takes no picture`);
  if (field.type === "signature" && field.value !== null) {
    throw badValue(name, `The field ${name} is signed; its appearance is part of the signature`);
  }
  const wanted = {
    width: measure(name, value.width_mm, "width_mm"),
    height: measure(name, value.height_mm, "height_mm"),
  };
  const image = await embedImage(context, value._ref, name);
  for (const widget of field.widgets) {
    const look = readLook(widget);
    if (look === undefined) continue;
    const b = look.borderWidth;
    const place = { width: Math.max(1, look.width - 2 * b), height: Math.max(1, look.height - 2 * b) };
    const { width, height } = sizeIn(image, place, wanted);
    const matrix = [width, 0, 0, height, (look.width - width) / 2, (look.height - height) / 2].map(round).join(" ");
    const content = { operators: `q ${matrix} cm /SheafImage Do Q`, images: new Map([["SheafImage", image.ref]]) };
    setAppearance(widget, makeAppearance(context.document, look, content));
    widget.delete(PDFName.of("AS"));
  }
}
