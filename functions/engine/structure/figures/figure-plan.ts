/** Which of a page's pictures and drawings are figures, and which parts make one. */
import type { Box } from "../../../ports/layout.ts";
import { area, overlapArea, overlapExtents, unionBox } from "../../layout/geometry.ts";
import type { PageObjects, PlacedImage } from "../../readers/pdf/figure-objects.ts";
import { findDrawings } from "./figure-drawings.ts";

export interface PlannedFigure {
  /** Points, as shown. */
  box: Box;
  /** The pictures in it. One alone is taken as it is stored; with others or drawings, that part of the page is drawn. */
  images: PlacedImage[];
  drawn: boolean;
  /** The same for the same content. */
  key: string;
}

const POINTS_PER_INCH = 72;
/** A picture over so much of the page is the page: a scan, a background. */
const PAGE_SHARE = 0.8;
/** All in points. Smaller is an icon or a bullet, narrower a line. */
const LEAST_SIDE = 14;
const LEAST_AREA = 1_000;
/** Fewer pixels either way are a shade or a pattern, stretched. */
const LEAST_PIXELS = 12;
/** Strips and tiles of one picture touch. */
const TOUCHING = 1.5;
/** Of the shorter edge, so much must touch. */
const EDGE_SHARE = 0.5;
/** A drawing over so much of a picture, or the other way round, is drawn on it. */
const OVER_SHARE = 0.1;

/** Pixels per inch that the finest of the pictures has on the page. */
export const nativeDpi = (images: readonly PlacedImage[]): number =>
  Math.max(
    0,
    ...images.map(({ width, height, whole }) => {
      const points = Math.max(whole.right - whole.left, whole.bottom - whole.top);
      return (Math.max(width, height) * POINTS_PER_INCH) / Math.max(points, 1);
    }),
  );

interface Part {
  box: Box;
  image?: PlacedImage;
  /** Shapes of a drawing. */
  shapes: number;
}

const sides = ({ left, top, right, bottom }: Box): { width: number; height: number } => ({
  width: right - left,
  height: bottom - top,
});

/** Whether two parts make one figure: tiles that touch, or what lies on top of each other. */
function belong(a: Box, b: Box): boolean {
  const { across, down } = overlapExtents(a, b);
  if (overlapArea(a, b) > OVER_SHARE * Math.min(area(a), area(b))) return true;
  const [one, other] = [sides(a), sides(b)];
  const beside = across >= -TOUCHING && down >= EDGE_SHARE * Math.max(Math.min(one.height, other.height), 1);
  const stacked = down >= -TOUCHING && across >= EDGE_SHARE * Math.max(Math.min(one.width, other.width), 1);
  return beside || stacked;
}

/** Parts in order of their tops, each put to the groups that it belongs to; groups that it connects become one. */
function group(parts: readonly Part[]): Part[][] {
  let groups: { box: Box; parts: Part[] }[] = [];
  for (const part of [...parts].sort((a, b) => a.box.top - b.box.top || a.box.left - b.box.left)) {
    const touching = groups.filter(({ box, parts: members }) => {
      const near = overlapExtents(box, part.box);
      if (near.across < -TOUCHING || near.down < -TOUCHING) return false;
      return members.some((member) => belong(member.box, part.box));
    });
    const joined = [part, ...touching.flatMap((one) => one.parts)];
    groups = [
      ...groups.filter((one) => !touching.includes(one)),
      { box: unionBox(joined.map(({ box }) => box)), parts: joined },
    ];
  }
  return groups.map((one) => one.parts);
}

/** More pictures on a page are not joined but taken one by one: it is a sheet of samples, or made to cost time. */
const MOST_PARTS = 1_500;

function isFigure(box: Box, pageArea: number): boolean {
  const { width, height } = sides(box);
  return (
    Math.min(width, height) >= LEAST_SIDE && width * height >= LEAST_AREA && width * height < PAGE_SHARE * pageArea
  );
}

const rounded = ({ left, top, right, bottom }: Box): string =>
  [left, top, right, bottom].map((value) => Math.round(value / 3)).join(" ");

function planned(parts: readonly Part[]): PlannedFigure {
  const box = unionBox(parts.map((part) => part.box));
  const images = parts.flatMap(({ image }) => image ?? []);
  const drawn = parts.length > 1 || images.length === 0;
  const shapes = parts.reduce((sum, part) => sum + part.shapes, 0);
  const key = [...images.map((image) => image.key), ...(shapes > 0 ? [`${shapes} ${rounded(box)}`] : [])].join("|");
  return { box, images, drawn, key };
}

const isSolid = ({ width, height }: PlacedImage): boolean => Math.min(width, height) >= LEAST_PIXELS;

/**
 * The figures of a page, from top to bottom. Scans and backgrounds of whole pages, icons, lines and stretched shades are
 * none.
 */
export function planFigures(page: PageObjects): PlannedFigure[] {
  const pageArea = page.width * page.height;
  const pictures = page.images.filter(({ box }) => area(box) < PAGE_SHARE * pageArea && area(box) > 0);
  const parts: Part[] = [
    ...pictures.map((image) => ({ box: image.box, image, shapes: 0 })),
    ...findDrawings(page).map(({ box, shapes }) => ({ box, shapes })),
  ];
  const groups = parts.length > MOST_PARTS ? parts.map((part) => [part]) : group(parts);
  return groups
    .map(planned)
    .filter(({ box, images, drawn }) => isFigure(box, pageArea) && (drawn || images.every(isSolid)))
    .sort((a, b) => a.box.top - b.box.top || a.box.left - b.box.left);
}

/** Points: what stands at the same place on each page, such as a letter head's logo, moves no more than this. */
const SAME_PLACE = 4;
/** A picture no larger either way may be a logo wherever it stands; larger ones are shown again on purpose. */
const LOGO = 130;

const samePlace = (a: Box, b: Box): boolean =>
  Math.abs(a.left - b.left) <= SAME_PLACE &&
  Math.abs(a.top - b.top) <= SAME_PLACE &&
  Math.abs(a.right - b.right) <= SAME_PLACE &&
  Math.abs(a.bottom - b.bottom) <= SAME_PLACE;

/** Each page's figures without those that an earlier page has at the same place, and without logos shown before. */
export function withoutRepeats(pages: readonly PlannedFigure[][]): PlannedFigure[][] {
  const seen = new Map<string, Box[]>();
  return pages.map((figures) =>
    figures.filter(({ key, box }) => {
      const before = seen.get(key) ?? [];
      const { width, height } = sides(box);
      const isLogo = width <= LOGO && height <= LOGO && before.length > 0;
      if (isLogo || before.some((other) => samePlace(other, box))) return false;
      seen.set(key, [...before, box]);
      return true;
    }),
  );
}
