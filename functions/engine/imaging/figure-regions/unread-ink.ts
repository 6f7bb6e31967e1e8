/**
 * Ink that looks like text and that no recognised word covers, by cells of the page's picture: half a page that
 * recognition lost leaves rows of it. Rules, thick and large ink, figures, barcodes and grain are not text.
 */
import type { Box } from "../../../ports/layout.ts";
import type { OcrPage, OcrTextInk, PackedInk } from "../../../ports/ocr.ts";
import { pageWords } from "../../layout/page-words.ts";
import { BRIGHTNESS_BITS, INK, type InkCells, LARGE, PAPER, SOLID, unpackInk } from "./ink-cells.ts";

/** Least brightness of a cell's surroundings, of PAPER: paper in a shadow; darker grounds are pictures. */
const MIN_GROUND = 4;
/** Margin in inches in which a word's, and a figure's or barcode's, ink may lie: boxes are rough by about a cell. */
const WORD_MARGIN_INCHES = 0.05;
const FIGURE_MARGIN_INCHES = 0.12;
/** Cells that touch and are at least this many: two letters of small type. Fewer are grain. */
const MIN_PIECE_CELLS = 3;
/** Least width of a piece in inches: a short word of small type; narrower ones are folds and edges. */
const MIN_PIECE_WIDTH_INCHES = 0.12;

const looksLikeText = (cell: number): boolean =>
  (cell & INK) !== 0 && (cell & (SOLID | LARGE)) === 0 && (cell & BRIGHTNESS_BITS) >= Math.min(MIN_GROUND, PAPER);

/** Cells under boxes of inches, with a margin. */
function markBoxes({ across, down, side }: InkCells, boxes: readonly Box[], margin: number, marked: Uint8Array): void {
  for (const box of boxes) {
    const [left, right] = [Math.floor((box.left - margin) / side), Math.ceil((box.right + margin) / side)];
    const [top, bottom] = [Math.floor((box.top - margin) / side), Math.ceil((box.bottom + margin) / side)];
    for (let y = Math.max(top, 0); y < Math.min(bottom, down); y += 1) {
      if (right > 0 && left < across)
        marked.fill(1, y * across + Math.max(left, 0), y * across + Math.min(right, across));
    }
  }
}

/** The cells that touch one another, from one on; they are taken out of `open`. */
function takePiece({ across, down }: InkCells, open: Uint8Array, start: number): number[] {
  const cells = [start];
  open[start] = 0;
  for (let next = 0; next < cells.length; next += 1) {
    const [x, y] = [(cells[next] ?? 0) % across, Math.floor((cells[next] ?? 0) / across)];
    for (let row = Math.max(y - 1, 0); row <= Math.min(y + 1, down - 1); row += 1) {
      for (let column = Math.max(x - 1, 0); column <= Math.min(x + 1, across - 1); column += 1) {
        const other = row * across + column;
        if (open[other] !== 1) continue;
        open[other] = 0;
        cells.push(other);
      }
    }
  }
  return cells;
}

function isTextPiece({ across, side }: InkCells, cells: readonly number[]): boolean {
  if (cells.length < MIN_PIECE_CELLS) return false;
  let [first, last] = [across, 0];
  for (const at of cells) [first, last] = [Math.min(first, at % across), Math.max(last, at % across)];
  return (last - first + 1) * side >= MIN_PIECE_WIDTH_INCHES;
}

/**
 * Counts the ink of a recognised page that looks like text.
 * @param ocr the page with its words, barcodes and figures @param ink of the picture that it was recognised from
 * @returns undefined where the ink was not measured
 */
export function textInkOf(ocr: OcrPage, ink: PackedInk | undefined): OcrTextInk | undefined {
  if (ink === undefined) return undefined;
  const map = unpackInk(ink);
  const { cells } = map;
  const words = new Uint8Array(cells.length);
  markBoxes(
    map,
    pageWords(ocr.page).map(({ box }) => box),
    WORD_MARGIN_INCHES,
    words,
  );
  const pictures = new Uint8Array(cells.length);
  const codes = (ocr.barcodes ?? []).map(({ box }) => box);
  markBoxes(map, [...(ocr.figures ?? []), ...codes], FIGURE_MARGIN_INCHES, pictures);
  const open = new Uint8Array(cells.length);
  let read = 0;
  for (let at = 0; at < cells.length; at += 1) {
    if (!looksLikeText(cells[at] ?? 0)) continue;
    if (words[at] === 1) read += 1;
    else if (pictures[at] === 0) open[at] = 1;
  }
  let unread = 0;
  for (let at = 0; at < cells.length; at += 1) {
    if (open[at] !== 1) continue;
    const piece = takePiece(map, open, at);
    if (isTextPiece(map, piece)) unread += piece.length;
  }
  return { read, unread };
}
