/** Writes the rows of a filled sheet: each in all its places, with values, and formulas for their places. */
import type { Json } from "../../../ports/json.ts";
import type { DateSystem } from "../../readers/office/xlsx/serial-dates.ts";
import { columnLetters } from "../../readers/office/xlsx/sheet.ts";
import type { RenderedItems } from "../office/rendered-items.ts";
import { isImageReference } from "../template.ts";
import { type CellFormula, SheetFormulas } from "./cell-formulas.ts";
import type { CellStyles } from "./cell-styles.ts";
import { type CellPiece, loneValue, type ValuePiece } from "./cell-text.ts";
import { type CellContent, EMPTY_CELL, textContent, valueContent } from "./cell-values.ts";
import { placeRange } from "./place-ranges.ts";
import { firstPlace, lastPlace, type PlacedRows } from "./row-layout.ts";
import {
  cellAttribute,
  cellElement,
  rowIndex,
  type SheetSource,
  type SourceCell,
  type SourceRow,
} from "./sheet-source.ts";
import { type SheetLayouts, shiftFormula } from "./shift-formula.ts";
import { nameOf, runsOf, tagValue } from "./tag-values.ts";
import { encodeAttribute, encodeText } from "./xml-source.ts";

/** A picture for a cell. */
export interface CellPicture {
  field: string;
  value: Json;
  /** From 1. */
  row: number;
  column: number;
}

/** What a cell gets besides tags: the value of a defined name. */
export interface NamedValue {
  field: string;
  value: Json;
}

export interface SheetWriting {
  source: SheetSource;
  /** Lower-case name of the sheet. */
  sheet: string;
  rows: PlacedRows;
  layouts: SheetLayouts;
  tags: ReadonlyMap<SourceCell, CellPiece[]>;
  named: ReadonlyMap<SourceCell, NamedValue>;
  styles: CellStyles;
  dates: DateSystem;
  budget: RenderedItems;
  /** Cells with results of before, which readers write anew. */
  emptied?: ReadonlySet<SourceCell>;
  /** Keeps the last results of formulas, which nothing changes. */
  keepsResults: boolean;
}

export interface WrittenRows {
  xml: string;
  pictures: CellPicture[];
  /** Texts of filled cells outside of repeated rows by `row/column`, for the headings of tables. */
  texts: Map<string, string>;
  /** Cells that have a shared string as before. */
  kept: Set<SourceCell>;
}

interface CompiledCell {
  cell: SourceCell;
  letters: string;
  style: string | undefined;
  type: string;
  /** Attributes besides reference, style and type. */
  rest: string;
  pieces: CellPiece[] | undefined;
  lone: ValuePiece | undefined;
  formula: CellFormula | undefined;
  named: NamedValue | undefined;
}

const OWN_ATTRIBUTES = /\s(?:r|s|t)\s*=\s*(?:"[^"]*"|'[^']*')/g;

function compileCell(writing: SheetWriting, formulas: SheetFormulas, cell: SourceCell, row: number): CompiledCell {
  const pieces = writing.tags.get(cell);
  return {
    cell,
    letters: columnLetters(cell.column),
    style: cellAttribute(cell, "s"),
    type: cellAttribute(cell, "t") ?? "",
    rest: cell.tag.replace(OWN_ATTRIBUTES, "").replace(/^<[^\s>]+|>$/g, ""),
    pieces,
    lone: pieces === undefined ? undefined : loneValue(pieces),
    formula: formulas.of(cell, row),
    named: writing.named.get(cell),
  };
}

const FORMULA = /<(?:[^\s/>:]+:)?f[\s/>]/;
const SHARED = /\st\s*=\s*["']s["']/;
const REFERENCE = /(\sr\s*=\s*["'][A-Za-z]+)\d+(["'])/;

class RowWriter {
  readonly #writing: SheetWriting;
  readonly #formulas: SheetFormulas;
  readonly #compiled = new Map<SourceRow, CompiledCell[]>();
  readonly pictures: CellPicture[] = [];
  readonly texts = new Map<string, string>();
  readonly kept = new Set<SourceCell>();
  readonly pieces: string[] = [];

  constructor(writing: SheetWriting) {
    this.#writing = writing;
    this.#formulas = new SheetFormulas(writing.source.rows);
  }

  /** The cells of a repeated row, read once for all its copies. */
  #cellsOf(row: SourceRow): CompiledCell[] {
    const known = this.#compiled.get(row);
    if (known !== undefined) return known;
    const compiled = row.cells.map((cell) => compileCell(this.#writing, this.#formulas, cell, row.number));
    this.#compiled.set(row, compiled);
    return compiled;
  }

  row(row: SourceRow, place: PlacedRows): void {
    const { prefix } = this.#writing.source;
    const number = firstPlace(place, row.number);
    const tag = row.tag
      .replace(/\sr\s*=\s*(?:"\d+"|'\d+')/, "")
      .replace(/^<[^\s>]+/, (name) => `${name} r="${number}"`);
    if (row.cells.length === 0) {
      this.pieces.push(`${tag.slice(0, -1)}/>`);
      return;
    }
    this.pieces.push(tag);
    if (place.copyOf === undefined) for (const cell of row.cells) this.#single(cell, row.number, number, place);
    else for (const cell of this.#cellsOf(row)) this.#cell(cell, number, place);
    this.pieces.push(`</${prefix}row>`);
  }

  /** A cell of a row that is not repeated: mostly it stays as written, but for its row. */
  #single(cell: SourceCell, before: number, row: number, place: PlacedRows): void {
    const { tags, named, source, emptied } = this.#writing;
    const { tag, content } = cell;
    const isChanged = tags.has(cell) || named.has(cell) || emptied?.has(cell) === true;
    const isPlain = !FORMULA.test(content) && REFERENCE.test(tag) && !isChanged;
    if (!isPlain) {
      this.#cell(compileCell(this.#writing, this.#formulas, cell, before), row, place);
      return;
    }
    if (SHARED.test(tag)) this.kept.add(cell);
    const moved = before === row ? tag : tag.replace(REFERENCE, `$1${row}$2`);
    this.pieces.push(content === "" ? `${moved.slice(0, -1)}/>` : `${moved}${content}</${source.prefix}c>`);
  }

  #cell(compiled: CompiledCell, row: number, place: PlacedRows): void {
    const { cell, letters, style, rest, formula, pieces, named } = compiled;
    if (formula !== undefined && !place.blank) {
      this.#formula(compiled, formula, row, place);
      return;
    }
    let { type, content }: CellContent = { type: compiled.type, content: cell.content };
    let newStyle: number | undefined;
    if (place.blank || this.#writing.emptied?.has(cell) === true) ({ type, content } = EMPTY_CELL);
    else if (named !== undefined || pieces !== undefined) {
      const filled = this.#filled(compiled, row, place);
      ({ type, content } = filled);
      newStyle = filled.style;
    }
    if (type === "s") this.kept.add(cell);
    const s = newStyle === undefined ? style : String(newStyle);
    this.#write(`${letters}${row}`, s, type, rest, content);
  }

  #write(reference: string, style: string | undefined, type: string, rest: string, content: string): void {
    const { prefix } = this.#writing.source;
    const attributes = `${style === undefined ? "" : ` s="${style}"`}${type === "" ? "" : ` t="${type}"`}${rest}`;
    const own = prefix === "" ? content : content.replace(/<(\/?)([A-Za-z]+)(?=[\s/>])/g, `<$1${prefix}$2`);
    const end = content === "" ? "/>" : `>${own}</${prefix}c>`;
    this.pieces.push(`<${prefix}c r="${reference}"${attributes}${end}`);
  }

  #filled(compiled: CompiledCell, row: number, place: PlacedRows): CellContent {
    const { cell, style, pieces, named, lone } = compiled;
    const look = {
      style: Number(style ?? 0),
      look: lone?.look ?? "",
      styles: this.#writing.styles,
      dates: this.#writing.dates,
    };
    const field = named?.field ?? (lone === undefined ? "" : nameOf(lone));
    if (named !== undefined || lone !== undefined) {
      const value =
        named === undefined && lone !== undefined ? tagValue(lone, place.scopes.get(lone.owner)) : named?.value;
      if (value !== undefined && isImageReference(value)) {
        this.pictures.push({ field, value, row, column: cell.column });
        return EMPTY_CELL;
      }
      if (typeof value === "string" || typeof value === "number") this.#count(String(value), row, cell.column, place);
      return valueContent(field, value, look);
    }
    const runs = runsOf(pieces ?? [], place.scopes, this.#writing.budget);
    this.#count(runs.map(({ text }) => text).join(""), row, cell.column, place);
    const first = (pieces ?? []).find((piece): piece is ValuePiece => piece.kind === "value");
    return textContent(first === undefined ? "" : nameOf(first), runs);
  }

  #count(text: string, row: number, column: number, place: PlacedRows): void {
    this.#writing.budget.addText(text.length);
    // Headings of tables are never repeated.
    if (place.copyOf === undefined) this.texts.set(`${row}/${column}`, text);
  }

  #formula(compiled: CompiledCell, formula: CellFormula, row: number, place: PlacedRows): void {
    const { cell, letters, style, rest } = compiled;
    const { layouts, sheet, keepsResults, rows } = this.#writing;
    const changes: Record<string, string> = {};
    if (formula.range !== undefined) changes.ref = placeRange(place.copyOf === undefined ? rows : place, formula.range);
    for (const name of ["r1", "r2"]) {
      const input = formula.attributes.get(name);
      if (input !== undefined) changes[name] = input.replace(/\d+$/, (at) => String(firstPlace(rows, Number(at))));
    }
    let tag = "<f";
    for (const [name, value] of formula.attributes) tag += ` ${name}="${encodeAttribute(changes[name] ?? value)}"`;
    const text = shiftFormula(formula.parts, { layouts, sheet, rows: place, column: letters });
    const result = keepsResults ? cellElement(cell.content, "v") : undefined;
    const content = `${tag}>${encodeText(text)}</f>${result === undefined ? "" : `<v>${result.text}</v>`}`;
    this.#write(`${letters}${row}`, style, result === undefined ? "" : compiled.type, rest, content);
  }
}

function writePlaced(writer: RowWriter, rows: readonly SourceRow[], place: PlacedRows): void {
  let at = rowIndex(rows, place.first);
  for (const block of place.blocks) {
    const before = rowIndex(rows, block.first);
    for (; at < before; at += 1) writeAt(writer, rows[at], place);
    for (const copy of block.copies) writePlaced(writer, rows, copy);
    at = rowIndex(rows, block.last + 1);
  }
  const end = rowIndex(rows, place.last + 1);
  for (; at < end; at += 1) writeAt(writer, rows[at], place);
}

function writeAt(writer: RowWriter, row: SourceRow | undefined, place: PlacedRows): void {
  if (row !== undefined) writer.row(row, place);
}

/** @throws BadRequest for values that a cell does not take */
export function writeRows(writing: SheetWriting): WrittenRows {
  const writer = new RowWriter(writing);
  writePlaced(writer, writing.source.rows, writing.rows);
  return { xml: writer.pieces.join(""), pictures: writer.pictures, texts: writer.texts, kept: writer.kept };
}

/** Number of the last row that has an element. */
export const lastRowOf = ({ rows }: SheetSource, place: PlacedRows): number =>
  lastPlace(place, rows.at(-1)?.number ?? 1);
