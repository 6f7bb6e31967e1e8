/** Regions of connected cells of a page, and their contents. */
import type { Box } from "../../../ports/layout.ts";
import { BRIGHTNESS_BITS, INK, type InkCells, LARGE, LETTER, PAPER, SOLID } from "./ink-cells.ts";

/** Paper between parts of one figure, such as the bars of a chart. */
const MAX_PART_GAP_INCHES = 0.12;
/** Quantiles of brightness between which a region's tones lie. */
const DARK_TONE_QUANTILE = 0.1;
const LIGHT_TONE_QUANTILE = 0.9;

export interface Region {
  /** Inches. */
  box: Box;
  /** Shares of its box, 0 to 1: its own cells, and text. */
  fill: number;
  text: number;
  /**
   * Shares of its own cells: any ink, thick ink, ink of large pieces and of large type, and cells without paper around
   * them.
   */
  ink: number;
  solid: number;
  large: number;
  letters: number;
  paperless: number;
  /** Range of brightness of the cells without paper; 0 for an even tint, at most 6. */
  tones: number;
  /** True if it reaches the edge of the picture. */
  atEdge: boolean;
}

/** Kinds of cells; text without paper around it stands on a region that goes on beneath it. */
const [OTHER, OWN, TEXT, TEXT_ON_GROUND] = [0, 1, 2, 3];

/** Visits the cells under a box of inches. */
function eachCell({ across, down, side }: InkCells, box: Box, visit: (at: number) => void): void {
  const [left, top] = [Math.max(Math.floor(box.left / side), 0), Math.max(Math.floor(box.top / side), 0)];
  const [right, bottom] = [Math.min(Math.ceil(box.right / side), across), Math.min(Math.ceil(box.bottom / side), down)];
  for (let y = top; y < bottom; y += 1) for (let x = left; x < right; x += 1) visit(y * across + x);
}

/** The cells connected to one, and their bounds in cells. */
function connectedCells({ across, down, side }: InkCells, kinds: Uint8Array, seen: Uint8Array, start: number) {
  const most = Math.max(Math.round(MAX_PART_GAP_INCHES / side), 1);
  const cells = [start];
  const own: number[] = [];
  const box = { left: across, top: down, right: 0, bottom: 0 };
  seen[start] = 1;
  for (let next = 0; next < cells.length; next += 1) {
    const at = cells[next] ?? 0;
    if (kinds[at] === OWN) own.push(at);
    const [x, y] = [at % across, Math.floor(at / across)];
    box.left = Math.min(box.left, x);
    box.top = Math.min(box.top, y);
    box.right = Math.max(box.right, x + 1);
    box.bottom = Math.max(box.bottom, y + 1);
    for (let row = Math.max(y - most, 0); row <= Math.min(y + most, down - 1); row += 1) {
      for (let column = Math.max(x - most, 0); column <= Math.min(x + most, across - 1); column += 1) {
        const other = row * across + column;
        const goesOn = kinds[other] === OWN || kinds[other] === TEXT_ON_GROUND;
        if (!goesOn || seen[other] === 1) continue;
        seen[other] = 1;
        cells.push(other);
      }
    }
  }
  return { cells: own, box };
}

function describeRegion(map: InkCells, kinds: Uint8Array, { cells, box }: ReturnType<typeof connectedCells>): Region {
  const { across, down, side } = map;
  const whole = (box.right - box.left) * (box.bottom - box.top);
  let text = 0;
  for (let y = box.top; y < box.bottom; y += 1)
    for (let x = box.left; x < box.right; x += 1) if ((kinds[y * across + x] ?? OTHER) >= TEXT) text += 1;
  const own = cells.map((at) => map.cells[at] ?? 0);
  const levels = own.map((cell) => cell & BRIGHTNESS_BITS).filter((level) => level < PAPER);
  levels.sort((a, b) => a - b);
  const levelAt = (share: number): number => levels[Math.floor(levels.length * share)] ?? 0;
  const share = (bit: number): number => own.filter((cell) => (cell & bit) !== 0).length / own.length;
  return {
    box: { left: box.left * side, top: box.top * side, right: box.right * side, bottom: box.bottom * side },
    fill: cells.length / whole,
    text: text / whole,
    ink: share(INK),
    solid: share(SOLID),
    large: share(LARGE),
    letters: share(LETTER),
    paperless: levels.length / own.length,
    tones: levelAt(LIGHT_TONE_QUANTILE) - levelAt(DARK_TONE_QUANTILE),
    atEdge: box.left <= 1 || box.top <= 1 || box.right >= across - 1 || box.bottom >= down - 1,
  };
}

/**
 * The regions of wanted cells that touch, or nearly do, and are not covered by text.
 * @param text inches
 * @param leastSide inches; regions with a smaller side are left out
 */
export function findRegions(
  map: InkCells,
  text: readonly Box[],
  isWanted: (cell: number) => boolean,
  leastSide: number,
): Region[] {
  const kinds = map.cells.map((cell) => (isWanted(cell) ? OWN : OTHER));
  for (const box of text) {
    eachCell(map, box, (at) => {
      kinds[at] = ((map.cells[at] ?? PAPER) & BRIGHTNESS_BITS) < PAPER ? TEXT_ON_GROUND : TEXT;
    });
  }
  const seen = new Uint8Array(kinds.length);
  const regions: Region[] = [];
  for (let start = 0; start < kinds.length; start += 1) {
    if (kinds[start] !== OWN || seen[start] === 1) continue;
    const found = connectedCells(map, kinds, seen, start);
    const { left, top, right, bottom } = found.box;
    if (Math.min(right - left, bottom - top) * map.side >= leastSide) regions.push(describeRegion(map, kinds, found));
  }
  return regions;
}
