/** Makes the rows of a filled table sound: ids, merged cells, and at least one row. */
import { childNode, childNodes, cloneNode, descendants, localName, type XmlNode } from "../office/xml-tree.ts";

const rowsOf = (table: XmlNode): XmlNode[] => childNodes(table).filter((node) => localName(node) === "tr");
const cellsOf = (row: XmlNode): XmlNode[] => childNodes(row).filter((node) => localName(node) === "tc");

/** A copy of a row whose cells have no text. */
function blankRow(row: XmlNode): XmlNode {
  const blank = cloneNode(row);
  for (const body of descendants(blank, "txBody")) {
    const paragraph = childNode(body, "p");
    body.children = body.children.filter((child) => typeof child === "string" || localName(child) !== "p");
    body.children.push({ name: paragraph?.name ?? "a:p", attributes: {}, children: [] });
  }
  return blank;
}

/** Gives rows ids of their own: PowerPoint offers to repair tables that have one twice. */
class RowIds {
  readonly #seen = new Set<number>();
  #next = 1;

  settle(row: XmlNode): XmlNode {
    const extensions = childNode(row, "extLst");
    const [stated] = extensions === undefined ? [] : descendants(extensions, "rowId");
    if (extensions === undefined || stated === undefined) return row;
    const id = Number(stated.attributes.val);
    if (!this.#seen.has(id)) {
      this.#seen.add(id);
      return row;
    }
    while (this.#seen.has(this.#next)) this.#next += 1;
    this.#seen.add(this.#next);
    // The cells are shared: only the id is another one.
    const copy = cloneNode(extensions);
    for (const node of descendants(copy, "rowId")) node.attributes.val = String(this.#next);
    return { ...row, children: row.children.map((child) => (child === extensions ? copy : child)) };
  }
}

const ON = new Set(["1", "true"]);

/** States how many rows each merged cell covers now, counting the cells below that belong to it. */
function settleMerges(rows: readonly XmlNode[]): XmlNode[] {
  const columns = rows.map(cellsOf);
  return rows.map((row, index) => {
    const cells = columns[index] ?? [];
    if (cells.every((cell) => cell.attributes.rowSpan === undefined)) return row;
    const spans = cells.map((cell, column) => {
      if (cell.attributes.rowSpan === undefined) return cell;
      let span = 1;
      while (ON.has(columns[index + span]?.[column]?.attributes.vMerge ?? "")) span += 1;
      const { rowSpan: _, ...attributes } = cell.attributes;
      return { ...cell, attributes: span > 1 ? { ...attributes, rowSpan: String(span) } : attributes };
    });
    return { ...row, children: row.children.map((child) => spans[cells.indexOf(child as XmlNode)] ?? child) };
  });
}

/**
 * @param table as rendered
 * @param template the table as it was: one without rows keeps its first row, blank
 */
export function settleRows(table: XmlNode, template: XmlNode): XmlNode {
  const rows = rowsOf(table);
  const others = childNodes(table).filter((node) => localName(node) !== "tr");
  if (rows.length === 0) {
    const [first] = rowsOf(template);
    return { ...table, children: [...others, ...(first === undefined ? [] : [blankRow(first)])] };
  }
  const ids = new RowIds();
  return { ...table, children: [...others, ...settleMerges(rows.map((row) => ids.settle(row)))] };
}
