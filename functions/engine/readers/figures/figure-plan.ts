/** Plans the figures of a page: which of its pictures and drawings are figures, and which parts make one. */

import type { Box } from "../../../ports/layout.ts";
import { area, overlapArea, overlapExtents, unionBox } from "../../layout/geometry.ts";
import type { FigureObjects, PlacedImage } from "../pdf/figure-objects.ts";
import { findDrawings } from "./figure-drawings.ts";

export interface PlannedFigure {
  /** Points, as shown. */
  box: Box;
  /** Pictures in it. One alone is taken as it is stored; with others or drawings, that part of the page is drawn. */
  images: PlacedImage[];
  drawn: boolean;
  /** Key that is the same for the same content. */
  key: string;
}

const POINTS_PER_INCH = 72;
/** Share of the page from which a picture is the page: a scan, a background. */
const WHOLE_PAGE_SHARE = 0.8;
/** Side and area of a figure; smaller is an icon or a bullet, narrower a line. */
const MIN_SIDE_POINTS = 14;
const MIN_AREA_SQUARE_POINTS = 1_000;
/** Pixels of a picture's side; fewer are a stretched shade or pattern. */
const MIN_SIDE_PIXELS = 12;
/** Gap between strips or tiles of one picture. */
const MAX_TILE_GAP_POINTS = 1.5;
/** Share of the shorter edge that touches. */
const MIN_TOUCHING_EDGE_SHARE = 0.5;
/** Overlap of a drawing and a picture, as a share of the smaller, from which one is drawn on the other. */
const MIN_OVERLAP_SHARE = 0.1;

/** Resolution of the finest of the pictures on the page, pixels per inch. */
export const nativeDpi = (images: readonly PlacedImage[]): number =>
  Math.max(
    0,
    ...images.map(({ width, height, whole }) => {
      const points = Math.max(whole.right - whole.left, whole.bottom - whole.top);
      return (Math.max(width, height) * POINTS_PER_INCH) / Math.max(points, 1);
    }),
  );

/** Share of the lower one's height that figures side by side have in common. */
const MIN_BESIDE_SHARE = 0.5;

interface FigurePart {
  box: Box;
  image?: PlacedImage;
  /** Number of shapes of a drawing. */
  shapes: number;
  parted?: number;
}

const sides = ({ left, top, right, bottom }: Box): { width: number; height: number } => ({
  width: right - left,
  height: bottom - top,
});

/** True if two parts make one figure: tiles that touch, or parts on top of each other. */
function belong(a: Box, b: Box): boolean {
  const { across, down } = overlapExtents(a, b);
  if (overlapArea(a, b) > MIN_OVERLAP_SHARE * Math.min(area(a), area(b))) return true;
  const [one, other] = [sides(a), sides(b)];
  const beside =
    across >= -MAX_TILE_GAP_POINTS && down >= MIN_TOUCHING_EDGE_SHARE * Math.max(Math.min(one.height, other.height), 1);
  const stacked =
    down >= -MAX_TILE_GAP_POINTS && across >= MIN_TOUCHING_EDGE_SHARE * Math.max(Math.min(one.width, other.width), 1);
  return beside || stacked;
}

/** Groups parts, from top to bottom, with the groups that they belong to; groups that a part connects become one. */
function groupParts(parts: readonly FigurePart[]): FigurePart[][] {
  let groups: { box: Box; parts: FigurePart[] }[] = [];
  for (const part of [...parts].sort((a, b) => a.box.top - b.box.top || a.box.left - b.box.left)) {
    const touching = groups.filter(({ box, parts: members }) => {
      const near = overlapExtents(box, part.box);
      if (near.across < -MAX_TILE_GAP_POINTS || near.down < -MAX_TILE_GAP_POINTS) return false;
      return members.some(
        (member) => (member.parted === undefined || member.parted !== part.parted) && belong(member.box, part.box),
      );
    });
    const joined = [part, ...touching.flatMap((one) => one.parts)];
    groups = [
      ...groups.filter((one) => !touching.includes(one)),
      { box: unionBox(joined.map(({ box }) => box)), parts: joined },
    ];
  }
  return groups.map((one) => one.parts);
}

/** Parts of a page that are joined; more are taken one by one: a sheet of samples, or made to cost time. */
const MAX_JOINED_PARTS = 1_500;

function isFigure(box: Box, pageArea: number): boolean {
  const { width, height } = sides(box);
  return (
    Math.min(width, height) >= MIN_SIDE_POINTS &&
    width * height >= MIN_AREA_SQUARE_POINTS &&
    width * height < WHOLE_PAGE_SHARE * pageArea
  );
}

const rounded = ({ left, top, right, bottom }: Box): string =>
  [left, top, right, bottom].map((value) => Math.round(value / 3)).join(" ");

function toPlannedFigure(parts: readonly FigurePart[]): PlannedFigure {
  const box = unionBox(parts.map((part) => part.box));
  const images = parts.flatMap(({ image }) => image ?? []);
  const drawn = parts.length > 1 || images.length === 0;
  const shapes = parts.reduce((sum, part) => sum + part.shapes, 0);
  const key = [...images.map((image) => image.key), ...(shapes > 0 ? [`${shapes} ${rounded(box)}`] : [])].join("|");
  return { box, images, drawn, key };
}

const isSolid = ({ width, height }: PlacedImage): boolean => Math.min(width, height) >= MIN_SIDE_PIXELS;

/**
 * Plans the figures of a page, from top to bottom; without scans and backgrounds of whole pages, icons, lines and
 * stretched shades.
 * @param captions boxes of the captions of figures, points as shown
 */
export function planFigures(page: FigureObjects, captions: readonly Box[] = []): PlannedFigure[] {
  const pageArea = page.width * page.height;
  const pictures = page.images.filter(({ box }) => area(box) < WHOLE_PAGE_SHARE * pageArea && area(box) > 0);
  const parts: FigurePart[] = [
    ...pictures.map((image) => ({ box: image.box, image, shapes: 0 })),
    ...findDrawings(page, captions),
  ];
  const groups = parts.length > MAX_JOINED_PARTS ? parts.map((part) => [part]) : groupParts(parts);
  const figures = groups
    .map(toPlannedFigure)
    .filter(({ box, images, drawn }) => isFigure(box, pageArea) && (drawn || images.every(isSolid)));
  return inRows(figures);
}

/** Figures from top to bottom; those side by side from left to right, whichever reaches further up. */
export function inRows<F extends { box: Box }>(figures: readonly F[]): F[] {
  const rows: F[][] = [];
  for (const figure of [...figures].sort((a, b) => a.box.top - b.box.top)) {
    const row = rows.at(-1);
    const isBeside = row?.every(({ box }) => {
      const { across, down } = overlapExtents(box, figure.box);
      return across <= 0 && down >= MIN_BESIDE_SHARE * Math.min(sides(box).height, sides(figure.box).height);
    });
    if (row !== undefined && isBeside) row.push(figure);
    else rows.push([figure]);
  }
  return rows.flatMap((row) => row.sort((a, b) => a.box.left - b.box.left));
}

/** Difference of places of a figure that repeats on each page, such as a letterhead's logo. */
const SAME_PLACE_POINTS = 4;
/** Sides of a picture that may be a logo wherever it stands; larger ones are repeated on purpose. */
const MAX_LOGO_SIDE_POINTS = 130;

const samePlace = (a: Box, b: Box): boolean =>
  Math.abs(a.left - b.left) <= SAME_PLACE_POINTS &&
  Math.abs(a.top - b.top) <= SAME_PLACE_POINTS &&
  Math.abs(a.right - b.right) <= SAME_PLACE_POINTS &&
  Math.abs(a.bottom - b.bottom) <= SAME_PLACE_POINTS;

/** Drops figures that an earlier page has at the same place, and logos shown before. */
export function withoutRepeats(pages: readonly PlannedFigure[][]): PlannedFigure[][] {
  const seen = new Map<string, Box[]>();
  return pages.map((figures) =>
    figures.filter(({ key, box }) => {
      const before = seen.get(key) ?? [];
      const { width, height } = sides(box);
      const isLogo = width <= MAX_LOGO_SIDE_POINTS && height <= MAX_LOGO_SIDE_POINTS && before.length > 0;
      if (isLogo || before.some((other) => samePlace(other, box))) return false;
      seen.set(key, [...before, box]);
      return true;
    }),
  );
}
