/** TIFF 6.0 and BigTIFF: the chain of directories, one a page. EXIF is a TIFF without pixels (CIPA DC-008, 4.5). */
import { CENTIMETRES_PER_INCH, type ImagePage, type Resolution } from "./image-page.ts";

/** Longer chains are not followed. */
export const MAX_DIRECTORIES = 1_000;
/** A directory has a few dozen fields. */
const MAX_DIRECTORY_FIELDS = 4_096;

const TAG_SUBFILE_TYPE = 254;
const TAG_WIDTH = 256;
const TAG_HEIGHT = 257;
const TAG_STRIP_OFFSETS = 273;
const TAG_ORIENTATION = 274;
const TAG_X_RESOLUTION = 282;
const TAG_Y_RESOLUTION = 283;
const TAG_RESOLUTION_UNIT = 296;
const TAG_TILE_OFFSETS = 324;

const TYPE_SHORT = 3;
const TYPE_LONG = 4;
const TYPE_LONG8 = 16;
const TYPE_BYTES: Record<number, number> = { [TYPE_SHORT]: 2, [TYPE_LONG]: 4, 5: 8, [TYPE_LONG8]: 8 };

/** Bits of SUBFILE_TYPE: a smaller version of another picture, or its transparency mask. */
const NOT_A_PAGE_BITS = 0b101;
/** Values of RESOLUTION_UNIT. */
const UNIT_NONE = 1;
const UNIT_CENTIMETRE = 3;

/** The differences between TIFF and BigTIFF, and between byte orders. */
interface TiffFormat {
  view: DataView;
  little: boolean;
  big: boolean;
}

interface TiffDirectory {
  /** The first value of each known field, by tag. */
  fields: Map<number, number>;
  next: number;
}

const KNOWN_TAGS = new Set([
  TAG_SUBFILE_TYPE,
  TAG_WIDTH,
  TAG_HEIGHT,
  TAG_STRIP_OFFSETS,
  TAG_ORIENTATION,
  TAG_X_RESOLUTION,
  TAG_Y_RESOLUTION,
  TAG_RESOLUTION_UNIT,
  TAG_TILE_OFFSETS,
]);

const offsetAt = ({ view, little, big }: TiffFormat, at: number): number =>
  big ? Number(view.getBigUint64(at, little)) : view.getUint32(at, little);

/**
 * The first value of the field at byte `field`; undefined for types that no known field has. @throws RangeError past
 * the end
 */
function firstValue(shape: TiffFormat, field: number): number | undefined {
  const { view, little, big } = shape;
  const type = view.getUint16(field + 2, little);
  const size = TYPE_BYTES[type];
  if (size === undefined) return undefined;
  const count = offsetAt(shape, field + 4);
  const inside = field + (big ? 12 : 8);
  const at = size * count <= (big ? 8 : 4) ? inside : offsetAt(shape, inside);
  if (type === TYPE_SHORT) return view.getUint16(at, little);
  if (type === TYPE_LONG) return view.getUint32(at, little);
  if (type === TYPE_LONG8) return Number(view.getBigUint64(at, little));
  return view.getUint32(at, little) / view.getUint32(at + 4, little);
}

/** Reads the directory at byte `at`. @throws RangeError past the end */
function readDirectory(shape: TiffFormat, at: number): TiffDirectory {
  const { view, little, big } = shape;
  const count = big ? Number(view.getBigUint64(at, little)) : view.getUint16(at, little);
  if (count > MAX_DIRECTORY_FIELDS) throw new RangeError("A directory of so many fields is none");
  const [head, entry] = big ? [8, 20] : [2, 12];
  const fields = new Map<number, number>();
  for (let index = 0; index < count; index += 1) {
    const field = at + head + index * entry;
    const tag = view.getUint16(field, little);
    const value = KNOWN_TAGS.has(tag) ? firstValue(shape, field) : undefined;
    if (value !== undefined) fields.set(tag, value);
  }
  return { fields, next: offsetAt(shape, at + head + count * entry) };
}

function resolutionOf(fields: TiffDirectory["fields"]): Resolution | undefined {
  const x = fields.get(TAG_X_RESOLUTION) ?? 0;
  const y = fields.get(TAG_Y_RESOLUTION) ?? 0;
  if (!(Number.isFinite(x) && Number.isFinite(y) && x > 0 && y > 0)) return undefined;
  const unit = fields.get(TAG_RESOLUTION_UNIT);
  const scale = unit === UNIT_CENTIMETRE ? CENTIMETRES_PER_INCH : 1;
  return { x: x * scale, y: y * scale, absolute: unit !== UNIT_NONE };
}

function orientationOf(fields: TiffDirectory["fields"]): number {
  const orientation = fields.get(TAG_ORIENTATION) ?? 1;
  return orientation >= 1 && orientation <= 8 ? orientation : 1;
}

/** @throws RangeError for an invalid header */
function openTiff(bytes: Uint8Array): { shape: TiffFormat; first: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const little = bytes[0] === 0x49;
  const shape = { view, little, big: view.getUint16(2, little) === 43 };
  return { shape, first: offsetAt(shape, shape.big ? 8 : 4) };
}

/**
 * Orientation and resolution of EXIF data; the default orientation when it is damaged. @param bytes from the byte order
 * mark on
 */
export function readExif(bytes: Uint8Array): Pick<ImagePage, "orientation" | "resolution"> {
  try {
    const { shape, first } = openTiff(bytes);
    const { fields } = readDirectory(shape, first);
    const resolution = resolutionOf(fields);
    return { orientation: orientationOf(fields), ...(resolution === undefined ? {} : { resolution }) };
  } catch (error) {
    if (error instanceof RangeError) return { orientation: 1 };
    throw error;
  }
}

/** The header of one page; undefined when its pixels do not begin within the file. */
function toPage({ fields }: TiffDirectory, directory: number, size: number): ImagePage | undefined {
  const start = fields.get(TAG_STRIP_OFFSETS) ?? fields.get(TAG_TILE_OFFSETS) ?? 0;
  if (start === 0 || start >= size) return undefined;
  const resolution = resolutionOf(fields);
  return {
    width: fields.get(TAG_WIDTH) ?? 0,
    height: fields.get(TAG_HEIGHT) ?? 0,
    orientation: orientationOf(fields),
    directory,
    ...(resolution === undefined ? {} : { resolution }),
  };
}

/**
 * The pages of a TIFF: its directories without previews and masks; undefined when the chain loops or leaves the file,
 * or when a page has no pixels. `more` is true when the chain is longer than MAX_DIRECTORIES.
 */
export function readTiffPages(bytes: Uint8Array): { pages: ImagePage[]; more: boolean } | undefined {
  try {
    const { shape, first } = openTiff(bytes);
    const seen = new Set<number>();
    const pages: ImagePage[] = [];
    for (let at = first; at !== 0; ) {
      if (seen.has(at)) return undefined;
      if (seen.size === MAX_DIRECTORIES) return { pages, more: true };
      const directory = readDirectory(shape, at);
      if (((directory.fields.get(TAG_SUBFILE_TYPE) ?? 0) & NOT_A_PAGE_BITS) === 0) {
        const page = toPage(directory, seen.size, bytes.length);
        if (page === undefined) return undefined;
        pages.push(page);
      }
      seen.add(at);
      at = directory.next;
    }
    return { pages, more: false };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
