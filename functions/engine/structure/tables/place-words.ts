/** Places a row in columns that many rows have formed, word by word, where its lines do not fit as they are. */
import { middleX, spanOverlap, unionBox } from "../../layout/geometry.ts";

import { areValue } from "./figure-cells.ts";
import { cutLine, type TableLine, type TableWord } from "./table-parts.ts";
import { type ColumnTrack, columnsOf, type PageRow, type RowPiece, type TextRow } from "./text-rows.ts";

/** Columns, and share of them that a row fills, from which its place is sure. */
const MIN_COLUMNS = 4;
const MIN_FILLED_SHARE = 0.6;
/** Distance of a word from the column that it is put in. */
const MAX_DISTANCE_EM = 1.5;
/** Gap between two words of a cell. */
const MAX_SPACE_EM = 1;
/** Share of a row's cells that are values, as in the rows around it. */
const MIN_VALUES_SHARE = 0.5;

/** The column that a word lies in most, or is nearest to; -1 where none is near. */
function columnOf(word: TableWord, tracks: readonly ColumnTrack[], em: number): number {
  const { left, right } = word.box;
  let best = { column: -1, overlap: -MAX_DISTANCE_EM * em };
  tracks.forEach((track, column) => {
    const overlap = spanOverlap(track.left, track.right, left, right);
    const isNearer = overlap === best.overlap && Math.abs(middleX({ ...word.box, ...track }) - middleX(word.box)) < em;
    if (overlap > best.overlap || isNearer) best = { column, overlap };
  });
  return best.column;
}

/**
 * Places each word in its column; undefined where a word is in none, or the columns do not follow each other.
 * @param least share of the columns that it fills
 */
export function placeWords<W extends TableWord>(
  row: PageRow<W>,
  tracks: readonly ColumnTrack[],
  least = MIN_FILLED_SHARE,
): TextRow<W> | undefined {
  if (tracks.length < MIN_COLUMNS) return undefined;
  const pieces: RowPiece<W>[] = [];
  for (const line of row.lines) {
    let words: W[] = [];
    let open = -1;
    const close = (): void => {
      if (words.length > 0) pieces.push({ column: open, span: 1, line: cutLine(line, words) });
      words = [];
    };
    for (const word of line.words) {
      const column = columnOf(word, tracks, row.size);
      if (column < 0) return undefined;
      if (column !== open) close();
      open = column;
      words.push(word);
    }
    close();
  }
  const inOrder = pieces.every((piece, index) => piece.column >= (pieces[index - 1]?.column ?? 0));
  if (!inOrder || new Set(pieces.map(({ column }) => column)).size < least * tracks.length) return undefined;
  return { box: row.box, size: row.size, pieces };
}

/** The same for a row of values between others. */
export function placeValues<W extends TableWord>(
  row: PageRow<W>,
  tracks: readonly ColumnTrack[],
): TextRow<W> | undefined {
  const placed = placeWords(row, tracks);
  if (placed === undefined || columnsOf(placed).size < placed.pieces.length) return undefined;
  const values = placed.pieces.filter((piece) => areValue([piece.line]));
  return values.length >= MIN_VALUES_SHARE * placed.pieces.length ? placed : undefined;
}

/** Joins neighbouring lines of one column that only a wide space parts. */
export function joinSpaced<W extends TableWord>(row: PageRow<W>, tracks: readonly ColumnTrack[]): PageRow<W> {
  const lines: TableLine<W>[] = [];
  for (const line of row.lines) {
    const last = lines.at(-1);
    const isNear = last !== undefined && line.box.left - last.box.right <= MAX_SPACE_EM * row.size;
    const columns = isNear
      ? tracks.filter((track) => spanOverlap(track.left, track.right, last.box.left, line.box.right) > 0)
      : [];
    if (last === undefined || columns.length !== 1) lines.push(line);
    else
      lines[lines.length - 1] = { ...last, words: [...last.words, ...line.words], box: unionBox([last.box, line.box]) };
  }
  return { ...row, lines };
}
