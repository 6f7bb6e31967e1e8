/** Passages of tables: whole, or by rows under a repeated header. */
import type { Box, TableBlock, TableCell } from "../../ports/layout.ts";
import { unionBox } from "../layout/geometry.ts";
import { linesText, tableRows } from "../structure/layout-text.ts";
import { MAX_TABLE_CHARS, type Passage } from "./passage.ts";

/** Separator of cells: models read it as a table's. */
const CELL_SEPARATOR = " | ";

/** A row of text with its box. */
interface TextRow {
  text: string;
  box: Box;
}

/** A table's piece before it has its headings and page. */
export type TablePiece = Pick<Passage, "bbox" | "text" | "part">;

const cellText = (cell: TableCell): string => cell.text?.replaceAll("\n", " ") ?? linesText(cell.lines, " ");

function textRows(table: TableBlock): TextRow[] {
  return tableRows(table).flatMap((cells) => {
    const texts = cells.map(cellText);
    if (texts.every((text) => text === "")) return [];
    return [{ text: texts.join(CELL_SEPARATOR), box: unionBox(cells.map(({ box }) => box)) }];
  });
}

/** The text of a table's header; empty without one. */
export const headerText = (table: TableBlock): string =>
  textRows({ ...table, cells: table.cells.filter(({ row }) => row < table.headerRows) })
    .map(({ text }) => text)
    .join("\n");

/** A row that is longer than a passage is cut where it has to be. */
function cutRow(row: TextRow, room: number): TextRow[] {
  const parts: TextRow[] = [];
  for (let at = 0; at < row.text.length; at += room) parts.push({ text: row.text.slice(at, at + room), box: row.box });
  return parts;
}

/** Groups rows to pieces of at most `room` characters. */
function groupRows(rows: readonly TextRow[], room: number): TextRow[][] {
  const groups: TextRow[][] = [];
  let length = 0;
  for (const row of rows.flatMap((one) => (one.text.length > room ? cutRow(one, room) : [one]))) {
    const group = groups.at(-1);
    if (group === undefined || length + row.text.length + 1 > room) {
      groups.push([row]);
      length = row.text.length;
    } else {
      group.push(row);
      length += row.text.length + 1;
    }
  }
  return groups;
}

/**
 * The passages of a table: one, or where it is longer than `MAX_TABLE_CHARS` parts of whole rows, each under the header
 * and with its number. The box of a part is that of its own rows.
 * @param carried header of the table that this one continues, for one that repeats none
 */
export function tablePieces(table: TableBlock, carried: string): TablePiece[] {
  const rows = textRows(table);
  if (rows.length === 0) return [];
  const own = headerText(table);
  const header = own === "" ? carried : own;
  const body =
    own === "" ? rows : textRows({ ...table, cells: table.cells.filter(({ row }) => row >= table.headerRows) });
  const prefix = header === "" ? [] : [header];
  const whole = [...prefix, ...body.map(({ text }) => text)].join("\n");
  if (whole.length <= MAX_TABLE_CHARS) return [{ bbox: table.box, text: whole }];
  // A header longer than half a passage would leave its rows no room.
  const kept = header.slice(0, MAX_TABLE_CHARS / 2);
  const groups = groupRows(body, MAX_TABLE_CHARS - kept.length - 1);
  return groups.map((group, at) => ({
    bbox: unionBox(group.map(({ box }) => box)),
    text: [...(kept === "" ? [] : [kept]), ...group.map(({ text }) => text)].join("\n"),
    part: { number: at + 1, of: groups.length },
  }));
}
