/**
 * What a worksheet says about its rows outside of them: merged cells, formats, validation, links, breaks, panes and
 * extensions follow the rows.
 */
import { type CellRange, parseRange } from "../../readers/office/xlsx/sheet.ts";
import { parseFormula } from "./formula-tokens.ts";
import { placeList, placesOf, rangeText, spanOfRange } from "./place-ranges.ts";
import { blockAt, copyAt, firstPlace, lastPlace, type PlacedRows } from "./row-layout.ts";
import { type SheetLayouts, shiftFormula } from "./shift-formula.ts";
import { childNode, encodeText, nodesBelow, type SourceEdits, withAttributes, type XmlNode } from "./xml-source.ts";

export interface SheetMove {
  edits: SourceEdits;
  /** Lower-case name of the sheet. */
  sheet: string;
  rows: PlacedRows;
  layouts: SheetLayouts;
}

type Mover = (move: SheetMove, node: XmlNode) => void;

/** Shifts a formula as a cell of this row reads it; row 0 for one of no row. */
export function shiftText({ layouts, sheet, rows }: Omit<SheetMove, "edits">, formula: string, row = 0): string {
  return shiftFormula(parseFormula(formula), { layouts, sheet, rows: row === 0 ? rows : copyAt(rows, row) });
}

/** Moves the range of an attribute as a whole, from its first place to its last. */
const moveSpan =
  (...names: string[]): Mover =>
  ({ edits, rows }, node) => {
    const attributes = edits.attributes(node);
    const changes: Record<string, string> = {};
    for (const name of names) {
      const range = parseRange(attributes.get(name));
      const span = range === undefined ? undefined : spanOfRange(rows, range);
      if (span !== undefined) changes[name] = rangeText(span);
    }
    edits.setAttributes(node, changes);
  };

/** Removes an element, and the one around it once nothing is left in it. */
function removeWithParent(edits: SourceEdits, node: XmlNode, removed: Set<XmlNode>): void {
  edits.remove(node);
  removed.add(node);
  const { parent } = node;
  if (parent?.children.every((child) => removed.has(child)) === true) edits.remove(parent);
}

/** Repeats each child that names one range, for all places of the range. */
const repeatChildren =
  (child: string, attribute: string): Mover =>
  ({ edits, rows, ...move }, node) => {
    const removed = new Set<XmlNode>();
    let count = 0;
    for (const one of node.children.filter(({ name }) => name === child)) {
      const range = parseRange(edits.attributes(one).get(attribute));
      if (range === undefined) continue;
      const places = placesOf(rows, range);
      count += places.length;
      const tag = edits.startTag(one);
      const rest = edits.xml.slice(one.contentStart, one.end);
      const text = places.map((place) => withAttributes(tag, { [attribute]: rangeText(place) }) + rest).join("");
      if (places.length === 0) removeWithParent(edits, one, removed);
      else edits.replace(one.start, one.end, child === "hyperlink" ? withLocation({ ...move, rows }, text) : text);
    }
    if (edits.attributes(node).has("count") && count > 0) edits.setAttributes(node, { count: String(count) });
  };

/** Links inside the workbook name a cell. */
const withLocation = (move: Omit<SheetMove, "edits">, source: string): string =>
  source.replace(/(\slocation\s*=\s*")([^"]*)"/g, (_, before: string, location: string) => {
    const text = location.replaceAll("&apos;", "'").replaceAll("&amp;", "&");
    return `${before}${encodeText(shiftText(move, text)).replaceAll('"', "&quot;")}"`;
  });

/** First row of a list of ranges in the template, which relative formulas are written for. */
const firstRow = (list: string): number =>
  Math.min(
    ...list
      .trim()
      .split(/\s+/)
      .map((text) => parseRange(text)?.top ?? Number.POSITIVE_INFINITY),
  );

/** The ranges of an element: an attribute, in extensions an element of its own. */
function listOf(edits: SourceEdits, node: XmlNode): { list: string; element: XmlNode | undefined } {
  const attribute = edits.attributes(node).get("sqref");
  if (attribute !== undefined) return { list: attribute, element: undefined };
  const element = [...nodesBelow(node)].find(({ name }) => name === "sqref");
  return { list: element === undefined ? "" : edits.text(element), element };
}

/** Moves formats and validation: their ranges, and the formulas in them, which are written for the first row. */
const moveList: Mover = (move, node) => {
  const { edits, rows } = move;
  const { list, element } = listOf(edits, node);
  if (list === "") return;
  const placed = placeList(rows, list);
  if (placed === "") return edits.remove(node);
  if (element === undefined) edits.setAttributes(node, { sqref: placed });
  else edits.setText(element, placed);
  const top = firstRow(list);
  const row = Number.isFinite(top) ? top : 0;
  for (const inner of nodesBelow(node)) {
    if (/^(?:formula[12]?|f)$/.test(inner.name) && inner.children.length === 0) {
      edits.setText(inner, shiftText(move, edits.text(inner), row));
    } else if (inner.name === "cfvo") {
      const value = edits.attributes(inner).get("val");
      if (value !== undefined) edits.setAttributes(inner, { val: shiftText(move, value, row) });
    }
  }
};

/** Validation is counted. */
const moveCounted: Mover = (move, node) => {
  const { edits, rows } = move;
  const rules = node.children.filter(({ name }) => name === "dataValidation");
  const left = rules.filter((rule) => placeList(rows, listOf(edits, rule).list) !== "").length;
  if (left === 0 && rules.length > 0) return edits.remove(node);
  for (const rule of rules) moveList(move, rule);
  if (left !== rules.length) edits.setAttributes(node, { count: String(left) });
};

const moveSelection: Mover = ({ edits, rows }, node) => {
  const attributes = edits.attributes(node);
  const list = (attributes.get("sqref") ?? "").split(" ").flatMap((text) => {
    const range = parseRange(text);
    const span = range === undefined ? undefined : spanOfRange(rows, range);
    return range === undefined ? [text] : span === undefined ? [] : [rangeText(span)];
  });
  const cell = parseRange(attributes.get("activeCell"));
  const active = cell === undefined ? undefined : spanOfRange(rows, { ...cell, bottom: cell.top });
  if (list.join(" ") === "" || (cell !== undefined && active === undefined)) return edits.remove(node);
  edits.setAttributes(node, {
    ...(attributes.has("sqref") ? { sqref: list.join(" ") } : {}),
    ...(active === undefined ? {} : { activeCell: rangeText({ ...active, bottom: active.top }) }),
  });
};

/** Frozen rows are counted from the first one that shows. */
const movePane: Mover = ({ edits, rows }, node) => {
  const attributes = edits.attributes(node);
  const frozen = Number(attributes.get("ySplit") ?? 0);
  const first =
    parseRange(node.parent === undefined ? undefined : edits.attributes(node.parent).get("topLeftCell"))?.top ?? 1;
  const isFrozen = /^frozen/.test(attributes.get("state") ?? "") && Number.isInteger(frozen) && frozen > 0;
  const corner = parseRange(attributes.get("topLeftCell"));
  const split = isFrozen ? lastPlace(rows, first + frozen - 1) - firstPlace(rows, first) + 1 : frozen;
  // Rows that never scroll must leave room for those that do.
  if (isFrozen && split > Math.max(frozen, MAX_FROZEN_ROWS)) return edits.remove(node);
  edits.setAttributes(node, {
    ...(isFrozen && split > 0 ? { ySplit: String(split) } : {}),
    ...(corner === undefined
      ? {}
      : {
          topLeftCell: rangeText({
            ...corner,
            top: firstPlace(rows, corner.top),
            bottom: firstPlace(rows, corner.top),
          }),
        }),
  });
};

/** More frozen rows than a window shows make the rest of a sheet unreachable. */
const MAX_FROZEN_ROWS = 40;

/** The last places of a row, one in each copy of its block. */
function rowPlaces(rows: PlacedRows, row: number): number[] {
  const block = blockAt(rows, row);
  return block === undefined ? [lastPlace(rows, row)] : block.copies.flatMap((copy) => rowPlaces(copy, row));
}

/** Breaks after rows, by the row's number. */
const moveBreaks: Mover = ({ edits, rows }, node) => {
  let count = 0;
  let manual = 0;
  for (const one of node.children) {
    const attributes = edits.attributes(one);
    const places = rowPlaces(rows, Number(attributes.get("id") ?? 0));
    count += places.length;
    if (attributes.get("man") === "1" || attributes.get("man") === "true") manual += places.length;
    const rest = edits.xml.slice(one.contentStart, one.end);
    const tag = edits.startTag(one);
    edits.replace(one.start, one.end, places.map((id) => withAttributes(tag, { id: String(id) }) + rest).join(""));
  }
  if (count === 0) return edits.remove(node);
  edits.setAttributes(node, { count: String(count), manualBreakCount: String(manual) });
};

/** Small charts in cells: one for each place of its cell, over the cells of that place. */
const moveSparkline: Mover = (move, node) => {
  const { edits, rows } = move;
  const [data, place] = [childNode(node, "f"), childNode(node, "sqref")];
  const range = place === undefined ? undefined : parseRange(edits.text(place));
  if (range === undefined || place === undefined) return;
  const source = edits.xml;
  const written = joinlessPlaces(rows, range).map(({ copy, at }) => {
    const formula =
      data === undefined
        ? ""
        : shiftFormula(parseFormula(edits.text(data)), { layouts: move.layouts, sheet: move.sheet, rows: copy });
    const before =
      data === undefined
        ? source.slice(node.start, place.contentStart)
        : `${source.slice(node.start, data.contentStart)}${encodeText(formula)}${source.slice(data.contentEnd, place.contentStart)}`;
    return `${before}${rangeText(at)}${source.slice(place.contentEnd, node.end)}`;
  });
  edits.replace(node.start, node.end, written.join(""));
};

function joinlessPlaces(rows: PlacedRows, range: CellRange): { copy: PlacedRows; at: CellRange }[] {
  const block = blockAt(rows, range.top);
  if (block !== undefined && range.bottom <= block.last)
    return block.copies.flatMap((copy) => joinlessPlaces(copy, range));
  const span = spanOfRange(rows, range);
  return span === undefined ? [] : [{ copy: rows, at: span }];
}

/** Anchors of controls in the sheet: rows count from 0. */
const moveAnchorRow: Mover = ({ edits, rows }, node) => {
  const row = Number(edits.text(node));
  if (Number.isInteger(row)) edits.setText(node, String(firstPlace(rows, row + 1) - 1));
};

const moveControl: Mover = (move, node) => {
  const attributes = move.edits.attributes(node);
  const changes: Record<string, string> = {};
  for (const name of ["linkedCell", "listFillRange"]) {
    const formula = attributes.get(name);
    if (formula !== undefined) changes[name] = shiftText(move, formula);
  }
  move.edits.setAttributes(node, changes);
};

const MOVERS: ReadonlyMap<string, Mover> = new Map<string, Mover>([
  ["dimension", moveSpan("ref")],
  ["sheetView", moveSpan("topLeftCell")],
  ["customSheetView", moveSpan("topLeftCell")],
  ["pane", movePane],
  ["selection", moveSelection],
  ["mergeCells", repeatChildren("mergeCell", "ref")],
  ["hyperlinks", repeatChildren("hyperlink", "ref")],
  ["conditionalFormatting", moveList],
  ["dataValidations", moveCounted],
  ["protectedRange", moveList],
  ["ignoredError", moveList],
  ["autoFilter", moveSpan("ref")],
  ["sortState", moveSpan("ref")],
  ["sortCondition", moveSpan("ref")],
  ["cellWatch", moveSpan("r")],
  ["inputCells", moveSpan("r")],
  ["rowBreaks", moveBreaks],
  ["sparkline", moveSparkline],
  ["row", moveAnchorRow],
  ["controlPr", moveControl],
  ["objectPr", moveControl],
]);

/** Elements whose movers reach all that is in them. */
const WHOLE = new Set([
  "mergeCells",
  "hyperlinks",
  "conditionalFormatting",
  "dataValidations",
  "rowBreaks",
  "sparkline",
]);

function moveNode(move: SheetMove, node: XmlNode): void {
  MOVERS.get(node.name)?.(move, node);
  if (WHOLE.has(node.name)) return;
  for (const child of node.children) moveNode(move, child);
}

/** Moves all that a worksheet says about its rows. */
export function moveSheetParts(move: SheetMove, root: XmlNode): void {
  for (const child of root.children) moveNode(move, child);
}
