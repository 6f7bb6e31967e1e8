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

/** Row with an id of its own: PowerPoint offers to repair tables that have one twice. */
function withOwnId(row: XmlNode, seen: Set<string>): XmlNode {
  const id = [...descendants(row, "rowId")][0]?.attributes.val;
  if (id === undefined || !seen.has(id)) {
    if (id !== undefined) seen.add(id);
    return row;
  }
  const copy = cloneNode(row);
  let free = (Number(id) + 1) >>> 0;
  while (seen.has(String(free))) free = (free + 1) >>> 0;
  seen.add(String(free));
  for (const node of descendants(copy, "rowId")) node.attributes.val = String(free);
  return copy;
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
  const seen = new Set<string>();
  return { ...table, children: [...others, ...settleMerges(rows.map((row) => withOwnId(row, seen)))] };
}
