/** Reads a table of cross-references (PDF 32000-1, 7.5.4). */

import { type ReadingBudget, textAt, UnusualFile } from "./file-reader.ts";
import { MAX_LISTED_OBJECTS, type Place } from "./place.ts";

/** An entry, with the two characters that end its line. */
const ENTRY_BYTES = 20;
const ENTRY = /^(\d{10}) (\d{5}) ([nf])[\t\r\n ]{2}$/u;
/** Longest line above entries, or before the trailer, with the space around it. */
const MAX_LINE_BYTES = 60;
const SUBSECTION = /^[\0\t\n\f\r ]*(\d{1,10}) (\d{1,10})[\t ]*(?:\r\n|\n|\r)/u;
const TRAILER = /^[\0\t\n\f\r ]*trailer/u;

function readEntry(file: Buffer, at: number): Place {
  const found = ENTRY.exec(textAt(file, at, ENTRY_BYTES));
  if (found === null) throw new UnusualFile("an entry of the cross-references is damaged");
  if (found[3] === "f") return { kind: "free" };
  return { kind: "offset", offset: Number(found[1]), generation: Number(found[2]) };
}

/**
 * Reads a table that begins at an offset.
 * @returns its entries, and the offset of its trailer's dictionary
 * @throws UnusualFile for a table with a fault
 */
export function readTable(
  file: Buffer,
  offset: number,
  budget: ReadingBudget,
): { places: [number, Place][]; end: number } {
  const places: [number, Place][] = [];
  let at = offset + "xref".length;
  for (;;) {
    const line = textAt(file, at, MAX_LINE_BYTES);
    const trailer = TRAILER.exec(line);
    if (trailer !== null) return { places, end: at + trailer[0].length };
    const head = SUBSECTION.exec(line);
    if (head === null) throw new UnusualFile("the cross-references are damaged");
    const [first, count] = [Number(head[1]), Number(head[2])];
    at += head[0].length;
    if (count * ENTRY_BYTES > file.length - at) throw new UnusualFile("the cross-references end too soon");
    if (places.length + count > MAX_LISTED_OBJECTS) throw new UnusualFile("too many objects");
    budget.spend(head[0].length + count * ENTRY_BYTES);
    for (let index = 0; index < count; index += 1, at += ENTRY_BYTES) {
      places.push([first + index, readEntry(file, at)]);
    }
  }
}
