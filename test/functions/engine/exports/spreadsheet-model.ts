/** A small model of spreadsheet programs: how they cut a CSV file into cells, and which cells they run. */

export interface Program {
  name: string;
  /** Characters that begin a new cell: the list separator of the user's locale, or several that were chosen. */
  separators: string;
  /** Quotes hold a cell together; some importers do not know them. */
  quotes: boolean;
}

export const PROGRAMS: readonly Program[] = [
  { name: "a program in a locale with commas", separators: ",", quotes: true },
  { name: "a program in a locale with semicolons", separators: ";", quotes: true },
  { name: "an import of tab-separated text", separators: "\t", quotes: true },
  { name: "a program whose separator is a bar", separators: "|", quotes: true },
  { name: "a program in a locale with Arabic semicolons", separators: "؛", quotes: true },
  { name: "an import with three separators", separators: ",;\t", quotes: true },
  { name: "an import at semicolons that knows no quotes", separators: ";", quotes: false },
  { name: "an import at tabs that knows no quotes", separators: "\t", quotes: false },
];

/**
 * Cuts a file into lines of cells. A byte order mark is no content. A quote opens at the beginning of a cell only; text
 * behind the closing one stays.
 */
export function cellsOf(bytes: string, { separators, quotes }: Program): string[][] {
  const file = bytes.replace(/^\ufeff/, "");
  const lines: string[][] = [[]];
  let cell = "";
  let begun = false;
  let open = false;
  const endCell = (): void => {
    lines.at(-1)?.push(cell);
    cell = "";
    begun = false;
  };
  for (let at = 0; at < file.length; at++) {
    const character = file[at] ?? "";
    if (open) {
      if (character !== '"') cell += character;
      else if (file[at + 1] === '"') cell += file[at++];
      else open = false;
    } else if (quotes && !begun && character === '"') {
      open = true;
      begun = true;
    } else if (separators.includes(character)) endCell();
    else if (character === "\r" || character === "\n") {
      endCell();
      lines.push([]);
    } else {
      cell += character;
      begun = true;
    }
  }
  endCell();
  return lines;
}

const NUMBER = "\\d+(?:[.,]\\d+|[ '’\\u00a0\\u202f]\\d{3})*(?:[eE][+-]?\\d+)?%?";
/** A signed number, alone or before other cells of its line: numbers and quoted texts continue it to no formula. */
const HARMLESS = new RegExp(`^[+-]${NUMBER}"?(?:,(?:-?${NUMBER}|true|false)?)*(?:,"[^]*)?$`);

/** A program tries to run the cell. */
export function runsAsFormula(cell: string): boolean {
  const text = cell.replace(/^[\s\p{Z}\p{Cc}\p{Cf}"]+/u, "");
  const [sign = ""] = text.normalize("NFKC");
  return "=+-@".includes(sign) && sign !== "" && !HARMLESS.test(text);
}
