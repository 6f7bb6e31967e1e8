/** Sections over columns of a table: in each row, the cells of those columns are repeated. */
import type { UnprocessableEntity } from "../../../ports/errors.ts";
import { tagFault } from "../office/tag-fault.ts";
import type { Section } from "./match-sections.ts";
import { closest, type PlacedSection } from "./place-sections.ts";
import { attributeOf, childOf, descendants, elementsIn, type XmlElement } from "./word-xml.ts";

export interface SpanningCell {
  section: Section;
  /** Columns of the cell, and of the section under it. */
  span: number;
  width: number;
}

export interface ColumnSections {
  sections: PlacedSection[];
  /** Cells that go on over the section's columns, by their `w:gridSpan`, which grows with it. */
  spanning: Map<XmlElement, SpanningCell>;
  /** Measures that the copies of a column share: `w:gridCol` and `w:tcW`. */
  shared: Set<XmlElement>;
  faults: UnprocessableEntity[];
}

interface Cell {
  element: XmlElement;
  from: number;
  to: number;
}

const numberIn = (element: XmlElement | undefined, least: number): number => {
  const value = Number(attributeOf(element, "w:val"));
  return Number.isInteger(value) && value > least ? value : least;
};

function* rowsOf(table: XmlElement): Generator<XmlElement> {
  const isOutside = ({ name }: XmlElement): boolean => name !== "w:tr" && name !== "w:tc";
  for (const element of descendants(table, isOutside)) if (element.name === "w:tr") yield element;
}

/** The cells of a row by their columns in the table's grid. */
function cellsOf(row: XmlElement): Cell[] {
  const cells: Cell[] = [];
  let at = numberIn(childOf(row, "w:trPr", "w:gridBefore"), 0);
  for (const element of descendants(row, ({ name }) => name !== "w:tc")) {
    if (element.name !== "w:tc") continue;
    const to = at + numberIn(childOf(element, "w:tcPr", "w:gridSpan"), 1);
    cells.push({ element, from: at, to });
    at = to;
  }
  return cells;
}

class ColumnPlacer {
  readonly found: ColumnSections = { sections: [], spanning: new Map(), shared: new Set(), faults: [] };

  place(section: Section): void {
    const { open, close } = section;
    const table = closest(open.mark, "w:tbl");
    const [first, last] = [this.cellOf(open.mark), this.cellOf(close.mark)];
    if (table === undefined || first === undefined || last === undefined || closest(close.mark, "w:tbl") !== table) {
      this.fault(section, "repeats columns, and does not open and close in cells of one table");
      return;
    }
    if (last.to <= first.from) {
      this.fault(section, "is closed in a column before the one in which it opens");
      return;
    }
    const range = { from: first.from, to: Math.max(first.to, last.to) };
    this.placeGrid(section, table, range);
    for (const row of rowsOf(table)) this.placeRow(section, row, range);
  }

  private fault({ open }: Section, problem: string): void {
    this.found.faults.push(tagFault(open.source, open.place, problem));
  }

  private cellOf(mark: XmlElement): Cell | undefined {
    const cell = closest(mark, "w:tc");
    const row = cell === undefined ? undefined : closest(cell, "w:tr");
    return row === undefined ? undefined : cellsOf(row).find(({ element }) => element === cell);
  }

  private repeat(section: Section, elements: readonly XmlElement[]): void {
    const [first, last] = [elements[0], elements.at(-1)];
    if (first !== undefined && last !== undefined) this.found.sections.push({ ...section, first, last, repeats: true });
  }

  private placeGrid(section: Section, table: XmlElement, { from, to }: { from: number; to: number }): void {
    const columns = [...elementsIn(childOf(table, "w:tblGrid"))]
      .filter(({ name }) => name === "w:gridCol")
      .slice(from, to);
    for (const column of columns) this.found.shared.add(column);
    this.repeat(section, columns);
  }

  private placeRow(section: Section, row: XmlElement, { from, to }: { from: number; to: number }): void {
    const cells = cellsOf(row).filter((cell) => cell.from < to && cell.to > from);
    const [only] = cells;
    if (only !== undefined && only.from <= from && only.to >= to && only.to - only.from > to - from) {
      const span = childOf(only.element, "w:tcPr", "w:gridSpan");
      if (span !== undefined) this.found.spanning.set(span, { section, span: only.to - only.from, width: to - from });
      return;
    }
    if (cells.some((cell) => cell.from < from || cell.to > to)) {
      this.fault(section, "repeats columns that a cell of the table joins with others only in part");
      return;
    }
    for (const { element } of cells) {
      const width = childOf(element, "w:tcPr", "w:tcW");
      if (width !== undefined) this.found.shared.add(width);
    }
    const [first, last] = [cells[0]?.element, cells.at(-1)?.element];
    if (first?.parent !== last?.parent) {
      this.fault(section, "repeats columns that a content control divides");
      return;
    }
    this.repeat(
      section,
      cells.map(({ element }) => element),
    );
  }
}

export function placeColumns(sections: readonly Section[]): ColumnSections {
  const placer = new ColumnPlacer();
  for (const section of sections) placer.place(section);
  return placer.found;
}
