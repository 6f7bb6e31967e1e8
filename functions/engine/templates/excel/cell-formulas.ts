/** Formulas of cells, with shared ones as each cell's own. */
import {
  type CellRange,
  columnLetters,
  columnNumber,
  MAX_COLUMNS,
  parseRange,
} from "../../readers/office/xlsx/sheet.ts";
import { type FormulaPart, parseFormula } from "./formula-tokens.ts";
import { cellElement, type SourceCell, type SourceRow } from "./sheet-source.ts";
import { translateFormula } from "./shift-formula.ts";
import { attributesOf, decodeText } from "./xml-source.ts";

export interface CellFormula {
  parts: readonly FormulaPart[];
  /** Kind of a formula over several cells; undefined for a formula of its own cell. */
  kind: "array" | "dataTable" | undefined;
  /** The cells of such a formula. */
  range: CellRange | undefined;
  /** Attributes of the formula's element as they stay. */
  attributes: ReadonlyMap<string, string>;
}

/** Moves letters with their `$`, around the edges of a sheet. */
export function moveColumn(column: string, columns: number): string {
  if (column === "" || column.startsWith("$")) return column;
  const number = columnNumber(column) ?? 1;
  return columnLetters(((number - 1 + columns + MAX_COLUMNS) % MAX_COLUMNS) + 1);
}

interface SharedFormula {
  parts: readonly FormulaPart[];
  row: number;
  column: number;
}

/** Most parsed formulas that are kept; cells often have the same. */
const MAX_PARSED = 10_000;

/** The formulas of one sheet, read in the order of its cells. */
export class SheetFormulas {
  readonly #shared = new Map<string, SharedFormula>();
  readonly #parsed = new Map<string, readonly FormulaPart[]>();

  constructor(rows: readonly SourceRow[]) {
    for (const { number, cells } of rows) {
      for (const cell of cells) {
        if (!cell.content.includes("shared")) continue;
        const element = cellElement(cell.content, "f");
        const attributes = attributesOf(element?.tag ?? "");
        if (element === undefined || element.text === "" || attributes.get("t") !== "shared") continue;
        const parts = parseFormula(decodeText(element.text));
        this.#shared.set(attributes.get("si") ?? "", { parts, row: number, column: cell.column });
      }
    }
  }

  #parse(text: string): readonly FormulaPart[] {
    const known = this.#parsed.get(text) ?? parseFormula(text);
    if (this.#parsed.size < MAX_PARSED) this.#parsed.set(text, known);
    return known;
  }

  /** @returns undefined for a cell without formula */
  of(cell: SourceCell, row: number): CellFormula | undefined {
    if (cell.content === "" || !/<(?:[^\s/>:]+:)?f[\s/>]/.test(cell.content)) return undefined;
    const element = cellElement(cell.content, "f");
    if (element === undefined) return undefined;
    const attributes = attributesOf(element.tag);
    const type = attributes.get("t");
    const text = decodeText(element.text);
    if (type === "shared")
      return { ...plain, attributes: kept(attributes), parts: this.#sharedParts(attributes, text, cell, row) };
    if (type !== "array" && type !== "dataTable")
      return { ...plain, attributes: kept(attributes), parts: this.#parse(text) };
    return { kind: type, range: parseRange(attributes.get("ref")), attributes, parts: this.#parse(text) };
  }

  #sharedParts(
    attributes: ReadonlyMap<string, string>,
    text: string,
    cell: SourceCell,
    row: number,
  ): readonly FormulaPart[] {
    const shared = this.#shared.get(attributes.get("si") ?? "");
    if (text !== "" || shared === undefined) return this.#parse(text);
    return parseFormula(translateFormula(shared.parts, row - shared.row, cell.column - shared.column, moveColumn));
  }
}

const plain = { kind: undefined, range: undefined } as const;

/** Attributes of a formula that is its cell's own. */
function kept(attributes: ReadonlyMap<string, string>): Map<string, string> {
  const own = new Map(attributes);
  for (const name of ["t", "si", "ref"]) own.delete(name);
  return own;
}
