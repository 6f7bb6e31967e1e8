/** TIFF 6.0 and BigTIFF: the chain of directories, one a page. EXIF is a TIFF without pixels (CIPA DC-008, 4.5). */
import type { ImagePage, Resolution } from "./image-header.ts";

/** Longer chains are not followed. */
export const MOST_DIRECTORIES = 1_000;
/** A directory has a few dozen fields. */
const MOST_FIELDS = 4_096;

const SUBFILE_TYPE = 254;
const WIDTH = 256;
const HEIGHT = 257;
const STRIP_OFFSETS = 273;
const ORIENTATION = 274;
const X_RESOLUTION = 282;
const Y_RESOLUTION = 283;
const RESOLUTION_UNIT = 296;
const TILE_OFFSETS = 324;

const SHORT = 3;
const LONG = 4;
const LONG8 = 16;
const SIZES: Record<number, number> = { [SHORT]: 2, [LONG]: 4, 5: 8, [LONG8]: 8 };

/** Bits of SUBFILE_TYPE: a smaller version of another picture, or its transparency mask. */
const NOT_A_PAGE = 0b101;
/** RESOLUTION_UNIT */
const NO_UNIT = 1;
const CENTIMETRE = 3;
const CM_PER_INCH = 2.54;

/** The parts of the two layouts that differ. */
interface TiffShape {
  view: DataView;
  little: boolean;
  big: boolean;
}

interface Directory {
  /** The first value of each of the fields above. */
  fields: Map<number, number>;
  next: number;
}

const KNOWN = new Set([
  SUBFILE_TYPE,
  WIDTH,
  HEIGHT,
  STRIP_OFFSETS,
  ORIENTATION,
  X_RESOLUTION,
  Y_RESOLUTION,
  RESOLUTION_UNIT,
  TILE_OFFSETS,
]);

const offsetAt = ({ view, little, big }: TiffShape, at: number): number =>
  big ? Number(view.getBigUint64(at, little)) : view.getUint32(at, little);

/** The first value of the field at `field`; undefined for types that no known field has. @throws RangeError */
function firstValue(shape: TiffShape, field: number): number | undefined {
  const { view, little, big } = shape;
  const type = view.getUint16(field + 2, little);
  const size = SIZES[type];
  if (size === undefined) return undefined;
  const count = offsetAt(shape, field + 4);
  const inside = field + (big ? 12 : 8);
  const at = size * count <= (big ? 8 : 4) ? inside : offsetAt(shape, inside);
  if (type === SHORT) return view.getUint16(at, little);
  if (type === LONG) return view.getUint32(at, little);
  if (type === LONG8) return Number(view.getBigUint64(at, little));
  return view.getUint32(at, little) / view.getUint32(at + 4, little);
}

/** @throws RangeError past the end */
function readDirectory(shape: TiffShape, at: number): Directory {
  const { view, little, big } = shape;
  const count = big ? Number(view.getBigUint64(at, little)) : view.getUint16(at, little);
  if (count > MOST_FIELDS) throw new RangeError("A directory of so many fields is none");
  const [head, entry] = big ? [8, 20] : [2, 12];
  const fields = new Map<number, number>();
  for (let index = 0; index < count; index += 1) {
    const field = at + head + index * entry;
    const tag = view.getUint16(field, little);
    const value = KNOWN.has(tag) ? firstValue(shape, field) : undefined;
    if (value !== undefined) fields.set(tag, value);
  }
  return { fields, next: offsetAt(shape, at + head + count * entry) };
}

function resolutionOf(fields: Directory["fields"]): Resolution | undefined {
  const x = fields.get(X_RESOLUTION) ?? 0;
  const y = fields.get(Y_RESOLUTION) ?? 0;
  if (!(Number.isFinite(x) && Number.isFinite(y) && x > 0 && y > 0)) return undefined;
  const unit = fields.get(RESOLUTION_UNIT);
  const scale = unit === CENTIMETRE ? CM_PER_INCH : 1;
  return { x: x * scale, y: y * scale, absolute: unit !== NO_UNIT };
}

function orientationOf(fields: Directory["fields"]): number {
  const orientation = fields.get(ORIENTATION) ?? 1;
  return orientation >= 1 && orientation <= 8 ? orientation : 1;
}

/** @throws RangeError for a header that is none */
function openTiff(bytes: Uint8Array): { shape: TiffShape; first: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const little = bytes[0] === 0x49;
  const shape = { view, little, big: view.getUint16(2, little) === 43 };
  return { shape, first: offsetAt(shape, shape.big ? 8 : 4) };
}

/** What EXIF data says of its picture; nothing where it is damaged. @param bytes from the byte order mark on */
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

/** A page's header; undefined when its pixels do not begin within the file. */
function toPage({ fields }: Directory, directory: number, size: number): ImagePage | undefined {
  const start = fields.get(STRIP_OFFSETS) ?? fields.get(TILE_OFFSETS) ?? 0;
  if (start === 0 || start >= size) return undefined;
  const resolution = resolutionOf(fields);
  return {
    width: fields.get(WIDTH) ?? 0,
    height: fields.get(HEIGHT) ?? 0,
    orientation: orientationOf(fields),
    directory,
    ...(resolution === undefined ? {} : { resolution }),
  };
}

/**
 * The pages of a TIFF: its directories but for previews and masks; undefined when the chain loops or leaves the file, or
 * when a page has no pixels. `more` when the chain is longer than MOST_DIRECTORIES.
 */
export function readTiffPages(bytes: Uint8Array): { pages: ImagePage[]; more: boolean } | undefined {
  try {
    const { shape, first } = openTiff(bytes);
    const seen = new Set<number>();
    const pages: ImagePage[] = [];
    for (let at = first; at !== 0; ) {
      if (seen.has(at)) return undefined;
      if (seen.size === MOST_DIRECTORIES) return { pages, more: true };
      const directory = readDirectory(shape, at);
      if (((directory.fields.get(SUBFILE_TYPE) ?? 0) & NOT_A_PAGE) === 0) {
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
