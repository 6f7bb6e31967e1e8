/** The rows of a document in the groups that may be items of one list: found once for a layout. */
import type { Layout } from "../../../ports/layout.ts";
import type { Notation } from "../../values/numbers.ts";
import { viewDocument } from "../view/document-view.ts";
import { findCandidateRows } from "./candidate-rows.ts";
import type { PageRows } from "./row-group-types.ts";
import { findRowGroups } from "./row-groups.ts";
import { readSideBySide, type SideBySideRows } from "./side-by-side-rows.ts";
import { summedRecords } from "./summed-records.ts";
import { turnRows } from "./turned-rows.ts";

/** The ways in which the lines of a page may be read. */
export interface DocumentRows {
  /** Each line is a row. */
  acrossPage(): PageRows;
  /** The rows of lists side by side, one column after the other; undefined without any. */
  sideBySide?: SideBySideRows;
  downColumns(): PageRows;
  /** The columns of some tables, given by their indexes, are rows. */
  turned(tables: ReadonlySet<number>): PageRows;
}

const cached = new WeakMap<Layout, Map<Notation, DocumentRows>>();

/** Finds the rows that a document prints; the same for every caller. @param notation notation of its amounts */
export function documentRows(layout: Layout, notation: Notation): DocumentRows {
  const known = cached.get(layout) ?? new Map<Notation, DocumentRows>();
  cached.set(layout, known);
  const rows = known.get(notation) ?? readRows(layout, notation);
  known.set(notation, rows);
  return rows;
}

function readRows(layout: Layout, notation: Notation): DocumentRows {
  const view = viewDocument(layout);
  const candidates = findCandidateRows(layout, view);
  const sets = summedRecords(view, notation);
  const sideBySide = readSideBySide(candidates);
  let across: PageRows | undefined;
  let down: PageRows | undefined;
  return {
    acrossPage() {
      across ??= findRowGroups(candidates, sets);
      return across;
    },
    ...(sideBySide === undefined ? {} : { sideBySide }),
    downColumns() {
      down ??= findRowGroups(sideBySide?.candidates ?? candidates, sets);
      return down;
    },
    turned: (tables) => findRowGroups(turnRows(candidates, tables), sets),
  };
}
