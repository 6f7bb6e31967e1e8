/** Pictures that values name by `{"_ref": …}`, placed in Office documents. */
import type { Json } from "../../../ports/json.ts";
import { JPEG, PNG } from "../../../ports/media-types.ts";
import { readImageHeader } from "../../imaging/headers/image-header.ts";
import { pictureTypeOf } from "../../readers/sniff-media-type.ts";
import { badValue } from "../field-values.ts";
import { isImageReference } from "../template.ts";
import { addRelationship, OFFICE_RELATIONSHIPS } from "./part-relationships.ts";
import type { TemplatePackage } from "./template-package.ts";

/** English metric units (ECMA-376, 20.1.2.1). */
export const EMU_PER_MILLIMETRE = 36_000;
const EMU_PER_INCH = 914_400;
/** Resolution of a picture that states none, as Office assumes. */
const DEFAULT_DPI = 96;
/** Resolutions outside this range are mistakes. */
const PLAUSIBLE_DPI = { least: 36, most: 2_400 };
/** Largest side: a metre and a half, the largest page of Word and the largest slide. */
const MAX_SIDE_EMU = 1_500 * EMU_PER_MILLIMETRE;

const EXTENSIONS: Record<string, string> = { [PNG]: "png", [JPEG]: "jpeg" };

export interface SizeEmu {
  width: number;
  height: number;
}

export interface TemplatePicture {
  ref: string;
  bytes: Uint8Array;
  mediaType: string;
  /** Size at the picture's own resolution, upright. */
  size: SizeEmu;
  /** The measures that the reference asks for. */
  wanted: { width: number | undefined; height: number | undefined };
}

/** @throws BadRequest unless it is a number above 0 */
function measure(field: string, value: Json | undefined, member: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  const emu = typeof value === "number" ? value * EMU_PER_MILLIMETRE : 0;
  if (emu > 0 && emu <= MAX_SIDE_EMU) return emu;
  const most = MAX_SIDE_EMU / EMU_PER_MILLIMETRE;
  throw badValue(field, `In the field ${field}, ${member} takes a number of millimetres above 0, at most ${most}`);
}

const unreadable = (field: string) =>
  badValue(field, `The picture of the field ${field} cannot be read; upload it as PNG or JPEG`);

/**
 * The picture that a field's value names.
 * @throws BadRequest for a value that names none, one that is not there, or one that is neither PNG nor JPEG
 */
export function templatePicture(field: string, value: Json, images: ReadonlyMap<string, Uint8Array>): TemplatePicture {
  if (!isImageReference(value)) throw badValue(field, `The field ${field} takes a picture: {"_ref": …}`);
  const ref = value._ref;
  const bytes = images.get(ref);
  if (bytes === undefined) throw badValue(field, `The field ${field} names a picture that is not there: ${ref}`);
  const mediaType = pictureTypeOf(bytes) ?? "";
  const page = EXTENSIONS[mediaType] === undefined ? undefined : readImageHeader(bytes, mediaType)?.pages[0];
  if (page === undefined) throw unreadable(field);
  const { x = DEFAULT_DPI, y = DEFAULT_DPI } = page.resolution?.absolute === true ? page.resolution : {};
  const dpi = (stated: number): number =>
    stated >= PLAUSIBLE_DPI.least && stated <= PLAUSIBLE_DPI.most ? stated : DEFAULT_DPI;
  const size = {
    width: (page.width / dpi(x)) * EMU_PER_INCH,
    height: (page.height / dpi(y)) * EMU_PER_INCH,
  };
  const wanted = {
    width: measure(field, value.width_mm, "width_mm"),
    height: measure(field, value.height_mm, "height_mm"),
  };
  return { ref, bytes, mediaType, size, wanted };
}

/**
 * The size of a picture in a document: the measures that are asked for, one of them in proportion; else its own size.
 * @param box that a picture without measures fits into, in proportion; with `fill` it is as large as the box allows
 */
export function pictureSize({ size, wanted }: TemplatePicture, box?: SizeEmu, fill = false): SizeEmu {
  const ratio = size.width / size.height;
  const whole = ({ width, height }: SizeEmu): SizeEmu => ({
    width: Math.max(1, Math.round(width)),
    height: Math.max(1, Math.round(height)),
  });
  if (wanted.width !== undefined || wanted.height !== undefined) {
    const width = wanted.width ?? (wanted.height ?? 0) * ratio;
    return whole({ width, height: wanted.height ?? width / ratio });
  }
  const limits = box ?? { width: MAX_SIDE_EMU, height: MAX_SIDE_EMU };
  const fits = Math.min(limits.width / size.width, limits.height / size.height);
  const scale = fill ? fits : Math.min(1, fits);
  return whole({ width: size.width * scale, height: size.height * scale });
}

/** Puts pictures into a package, each once. */
export class PictureParts {
  readonly #office: TemplatePackage;
  readonly #folder: string;
  readonly #names = new Map<string, string>();

  /** @param folder of the package's pictures, such as `ppt/media` */
  constructor(office: TemplatePackage, folder: string) {
    this.#office = office;
    this.#folder = folder;
  }

  /** The part with the picture. */
  partOf({ ref, bytes, mediaType }: TemplatePicture): string {
    const known = this.#names.get(ref);
    if (known !== undefined) return known;
    const name = this.#office.freeName(`${this.#folder}/picture`, `.${EXTENSIONS[mediaType] ?? "png"}`);
    this.#office.add(name, bytes, mediaType);
    this.#names.set(ref, name);
    return name;
  }

  /** @returns id of the relationship from a part to the picture */
  relate(partName: string, picture: TemplatePicture): string {
    return addRelationship(this.#office, partName, `${OFFICE_RELATIONSHIPS}/image`, this.partOf(picture));
  }
}
