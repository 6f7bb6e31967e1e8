/** The parts that belong to a sheet and name its rows: tables, drawings, comments, controls. */
import { parseRange } from "../../readers/office/xlsx/sheet.ts";
import { type PartRelationship, relationshipsOf } from "../office/part-relationships.ts";
import { type SheetMove, shiftText } from "./move-sheet-parts.ts";
import { rangeText, spanOfRange } from "./place-ranges.ts";
import { firstPlace, isRemoved, type PlacedRows } from "./row-layout.ts";
import { type TemplateWorkbook, typeOf } from "./workbook-source.ts";
import { childNode, nodesBelow, parseSource, SourceEdits, type XmlNode } from "./xml-source.ts";
import { readXmlText } from "./xml-text.ts";

export interface RelatedMove extends Omit<SheetMove, "edits"> {
  workbook: TemplateWorkbook;
  /** Filled texts by `row/column`. */
  texts: ReadonlyMap<string, string>;
}

type PartMover = (move: RelatedMove, edits: SourceEdits, root: XmlNode) => void;

function moveSpan(edits: SourceEdits, rows: PlacedRows, node: XmlNode, name = "ref"): void {
  const range = parseRange(edits.attributes(node).get(name));
  const span = range === undefined ? undefined : spanOfRange(rows, range);
  if (span !== undefined) edits.setAttributes(node, { [name]: rangeText(span) });
}

/** Headings of a table are the texts of its first row, each once. */
function renameColumns({ texts, rows }: RelatedMove, edits: SourceEdits, table: XmlNode): void {
  const attributes = edits.attributes(table);
  const range = parseRange(attributes.get("ref"));
  if (range === undefined || attributes.get("headerRowCount") === "0") return;
  const row = firstPlace(rows, range.top);
  const columns = childNode(table, "tableColumns")?.children ?? [];
  const taken = new Set(columns.map((column) => (edits.attributes(column).get("name") ?? "").toLowerCase()));
  for (const [index, column] of columns.entries()) {
    const text = texts.get(`${row}/${range.left + index}`);
    if (text === undefined) continue;
    let name = text === "" ? `Column${index + 1}` : text;
    for (let number = 2; taken.has(name.toLowerCase()); number += 1) name = `${text}${number}`;
    taken.add(name.toLowerCase());
    edits.setAttributes(column, { name: name.replaceAll("\n", "_x000a_") });
  }
}

const moveTable: PartMover = (move, edits, root) => {
  renameColumns(move, edits, root);
  const first = (parseRange(edits.attributes(root).get("ref"))?.top ?? 0) + 1;
  for (const node of [root, ...nodesBelow(root)]) {
    if (["table", "autoFilter", "sortState", "sortCondition"].includes(node.name)) moveSpan(edits, move.rows, node);
    else if (node.name === "calculatedColumnFormula" || node.name === "totalsRowFormula") {
      edits.setText(node, shiftText(move, edits.text(node), node.name === "totalsRowFormula" ? 0 : first));
    }
  }
};

/** Rows of drawings count from 0. A drawing that keeps its size moves as a whole. */
const moveAnchors: PartMover = ({ rows }, edits, root) => {
  for (const anchor of nodesBelow(root)) {
    if (anchor.name !== "twoCellAnchor" && anchor.name !== "oneCellAnchor") continue;
    const [from, to] = [childNode(childNode(anchor, "from"), "row"), childNode(childNode(anchor, "to"), "row")];
    if (from === undefined) continue;
    const top = Number(edits.text(from));
    const start = firstPlace(rows, top + 1) - 1;
    edits.setText(from, String(start));
    if (to === undefined) continue;
    const bottom = Number(edits.text(to));
    const keepsSize = /^(?:oneCell|absolute)$/.test(edits.attributes(anchor).get("editAs") ?? "");
    edits.setText(to, String(keepsSize ? start + bottom - top : Math.max(start, firstPlace(rows, bottom + 1) - 1)));
  }
};

/** A comment stays with the first copy of its cell, and goes with a removed row. */
const moveComments: PartMover = ({ rows }, edits, root) => {
  for (const node of nodesBelow(root)) {
    if (node.name !== "comment" && node.name !== "threadedComment") continue;
    const range = parseRange(edits.attributes(node).get("ref"));
    if (range === undefined) continue;
    const top = firstPlace(rows, range.top);
    if (isRemoved(rows, range.top)) edits.remove(node);
    else edits.setAttributes(node, { ref: rangeText({ ...range, top, bottom: top }) });
  }
};

/** Shapes of comments and old controls: `left column, offset, top row, offset, right column, offset, bottom row, offset`. */
const moveVml: PartMover = (move, edits, root) => {
  const { rows } = move;
  const shift = (row: number): number => firstPlace(rows, row + 1) - 1;
  for (const node of nodesBelow(root)) {
    if (node.name === "Row") {
      const row = Number(edits.text(node));
      const shape = node.parent?.parent;
      if (shape?.name === "shape" && isRemoved(rows, row + 1)) edits.remove(shape);
      else edits.setText(node, String(shift(row)));
    } else if (node.name === "Anchor") {
      const numbers = edits.text(node).split(",").map(Number);
      const [top = 0, bottom = 0] = [numbers[2], numbers[6]];
      if (numbers.length !== 8 || numbers.some(Number.isNaN)) continue;
      const start = shift(top);
      edits.setText(
        node,
        numbers
          .with(2, start)
          .with(6, start + bottom - top)
          .join(", "),
      );
    } else if (/^Fmla(?:Link|Range|Macro)$/.test(node.name)) edits.setText(node, shiftText(move, edits.text(node)));
  }
};

const moveControls: PartMover = (move, edits, root) => {
  const attributes = edits.attributes(root);
  const changes: Record<string, string> = {};
  for (const name of ["fmlaLink", "fmlaRange", "fmlaTxbx"]) {
    const formula = attributes.get(name);
    if (formula !== undefined) changes[name] = shiftText(move, formula);
  }
  edits.setAttributes(root, changes);
};

const movePivotPlace: PartMover = ({ rows }, edits, root) => {
  for (const node of root.children) if (node.name === "location") moveSpan(edits, rows, node);
};

const moveSingleCells: PartMover = ({ rows }, edits, root) => {
  for (const node of nodesBelow(root)) if (node.name === "singleXmlCell") moveSpan(edits, rows, node, "r");
};

const MOVERS: ReadonlyMap<string, PartMover> = new Map<string, PartMover>([
  ["table", moveTable],
  ["drawing", moveAnchors],
  ["comments", moveComments],
  ["threadedComment", moveComments],
  ["vmlDrawing", moveVml],
  ["ctrlProp", moveControls],
  ["pivotTable", movePivotPlace],
  ["tableSingleCells", moveSingleCells],
]);

/** Changes a part, and writes it when something has changed. */
export function editPart(
  workbook: TemplateWorkbook,
  name: string,
  change: (edits: SourceEdits, root: XmlNode) => void,
): void {
  const xml = readXmlText(workbook.office, name, workbook.budget);
  const root = xml === undefined ? undefined : parseSource(xml).children[0];
  if (xml === undefined || root === undefined) return;
  const edits = new SourceEdits(xml);
  change(edits, root);
  if (edits.changed) workbook.office.write(name, edits.apply());
}

/** The parts that a sheet leads to, with the kinds that name rows. */
export const relatedParts = (workbook: TemplateWorkbook, sheetPart: string): PartRelationship[] =>
  relationshipsOf(workbook.office, sheetPart).filter((one) => !one.external && MOVERS.has(typeOf(one)));

/** Moves the parts of a sheet with its rows. */
export function moveRelatedParts(move: RelatedMove, sheetPart: string): void {
  for (const relationship of relatedParts(move.workbook, sheetPart)) {
    const mover = MOVERS.get(typeOf(relationship));
    editPart(move.workbook, relationship.target, (edits, root) => mover?.(move, edits, root));
  }
}
