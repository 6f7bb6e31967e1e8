/**
 * Reads missing rows from the page by example: known rows give the columns, unread rows give the values. The rows count
 * only if the same reading reproduces the known rows.
 */
import type { Json } from "../../ports/json.ts";
import {
  type Extraction,
  type Finding,
  type Granularity,
  nullNode,
  type ResultNode,
  writeNode,
} from "../extraction/rules/findings.ts";
import { findingsOf, itemNode } from "../extraction/rules/items/read-grid.ts";
import { wantedProperties } from "../extraction/rules/items/wanted-columns.ts";
import type { Conventions } from "../extraction/rules/value-reader.ts";
import { meanConfidence } from "../layout/mean-confidence.ts";
import type { SourceLocations } from "../layout/source-locations.ts";
import { fillCalculated } from "../schema/formulas/calculated-fields.ts";
import { pointTo } from "../schema/json-pointer.ts";
import type { ParsedSchema } from "../schema/parsed-schema.ts";
import type { Field } from "../schema/schema-shape.ts";
import type { CandidateRow } from "../structure/records/candidate-rows.ts";
import { type ColumnLayout, wordsByColumn } from "../structure/records/column-layout.ts";
import { cellOf, type PrintedRecord } from "../structure/records/record-set.ts";
import type { PageRows, RowGroup } from "../structure/records/row-group-types.ts";
import { lineRuns } from "../structure/view/tokens.ts";
import { fieldColumns, fieldPaths } from "./field-columns.ts";
import { placesFromSources } from "./item-places.ts";
import type { FoundRow } from "./list-change.ts";
import type { ListReceipt, MissingRow } from "./list-receipt.ts";
import { mergeRows } from "./merge-rows.ts";
import { moveSources, pointerMover } from "./move-sources.ts";
import { type DataList, findLists, type ListItem } from "./result-lists.ts";

export interface FillRequest {
  rows: PageRows;
  /** Changed in place. */
  data: Json;
  sources: SourceLocations;
  conventions: Conventions;
  schema: ParsedSchema;
  granularity: Granularity;
  lists: readonly ListReceipt[];
}

interface FilledResult {
  data: Json;
  sources: SourceLocations;
  facts: Extraction["facts"];
}

/** Known rows that columns are learnt from, and known rows that a reader is tried on. */
const MIN_KNOWN_ROWS = 2;
const MAX_TRIED_ROWS = 200;
/** Share of the known values that a reader must reproduce. */
const MIN_REPRODUCED_SHARE = 0.95;
/** A field that this share of the known rows has is required. */
const ALWAYS_FILLED_SHARE = 0.9;

type ReadRow = (row: CandidateRow) => Map<Field, Finding> | undefined;

/** A row of a group as a record: a cell of several lines is read line by line. */
function recordOf(columnLayout: ColumnLayout, row: CandidateRow): PrintedRecord {
  const { words } = wordsByColumn(columnLayout, row);
  const cells = [...words].map(([column, own]) => {
    const lines = lineRuns(own.sort((a, b) => a.index - b.index));
    return [column, cellOf(lines)] as const;
  });
  return { page: row.page, box: row.box, cells: new Map(cells) };
}

const sameValue = (a: Json, b: Json): boolean =>
  a === b || (typeof a === "string" && typeof b === "string" && a.replace(/\s+/g, " ") === b.replace(/\s+/g, " "));

type KnownRows = readonly (readonly [ListItem, number])[];

/** Learns to read the rows of a group; undefined if the known rows do not determine it. */
function learnReader(
  list: DataList,
  known: KnownRows,
  { columnLayout }: RowGroup,
  request: FillRequest,
): ReadRow | undefined {
  const { rows, sources, conventions } = request;
  if (known.length < MIN_KNOWN_ROWS) return undefined;
  const fields = fieldPaths(list);
  const wanted = wantedProperties([...fields.values()], conventions);
  const learnt = fieldColumns(known, columnLayout, sources, rows.candidates);
  const columns = new Map(
    [...learnt].flatMap(([path, column]): [Field, number][] => {
      const field = fields.get(path);
      return field === undefined ? [] : [[field, column]];
    }),
  );
  const counts = new Map<string, number>();
  for (const [item] of known) for (const { path } of item.leaves) counts.set(path, (counts.get(path) ?? 0) + 1);
  const required = [...counts].flatMap(([path, count]) =>
    count >= ALWAYS_FILLED_SHARE * known.length ? [fields.get(path)] : [],
  );
  // A required field without a column cannot be read.
  if (required.some((field) => field === undefined || !columns.has(field))) return undefined;
  const fit = { wanted, columns, signed: null, score: 1 };
  const read: ReadRow = (row) => {
    const found = findingsOf(recordOf(columnLayout, row), fit);
    return required.every((field) => field !== undefined && found.has(field)) ? found : undefined;
  };
  return reproducesKnownRows(read, fields, known.slice(0, MAX_TRIED_ROWS), rows) ? read : undefined;
}

function reproducesKnownRows(
  read: ReadRow,
  fields: ReadonlyMap<string, Field>,
  known: KnownRows,
  { candidates }: PageRows,
): boolean {
  let values = 0;
  let right = 0;
  for (const [item, order] of known) {
    const row = candidates.all[order];
    const found = row === undefined ? undefined : read(row);
    for (const { path, value } of item.leaves) {
      values += 1;
      const field = fields.get(path);
      const finding = field === undefined ? undefined : found?.get(field);
      if (finding !== undefined && sameValue(finding.value, value)) right += 1;
    }
  }
  return values > 0 && right >= MIN_REPRODUCED_SHARE * values;
}

interface FilledRow extends FoundRow {
  node: ResultNode;
}

function readRows(list: DataList, missing: readonly MissingRow[], request: FillRequest): FilledRow[] {
  const { rows, sources, granularity } = request;
  const { shape } = list;
  if (shape === null) return [];
  const groupOf = new Map(
    rows.groups.flatMap((group) =>
      group.parts.flatMap((part) => part.records.map((row) => [row.order, group] as const)),
    ),
  );
  const known = Map.groupBy(placesFromSources(list, sources, rows.candidates), ([, order]) => groupOf.get(order));
  const readers = new Map<RowGroup, ReadRow | undefined>();
  return missing.flatMap((row): FilledRow[] => {
    const group = groupOf.get(row.order);
    const candidate = rows.candidates.all[row.order];
    if (group === undefined || candidate === undefined) return [];
    if (!readers.has(group)) {
      readers.set(group, learnReader(list, known.get(group) ?? [], group, request));
    }
    const found = readers.get(group)?.(candidate);
    if (found === undefined || found.size === 0) return [];
    const node = itemNode(shape.item, (field) => found.get(field) ?? null);
    return [{ missing: row, row: writeNode(node, "", granularity).value, node }];
  });
}

/** Reads missing rows by the columns of the known ones. @returns undefined if none could be read */
export function fillRows(request: FillRequest): FilledResult | undefined {
  const { data, sources, schema, granularity, lists } = request;
  const read = findLists(data, schema.shape).flatMap((list) => {
    const receipt = lists.find(({ path }) => path === list.path);
    return receipt === undefined ? [] : readRows(list, receipt.missing, request);
  });
  if (read.length === 0) return undefined;
  const nodes = new Map(read.map(({ missing, node }) => [missing.order, node]));
  const changes = mergeRows(data, read, []);
  const moved = moveSources(sources, changes);
  const move = pointerMover(changes);
  for (const { list, added } of changes)
    for (const { at, found } of added) {
      const node = nodes.get(found.missing.order) ?? nullNode();
      const { locations, unresolved } = writeNode(node, pointTo(move(list) ?? list, at), granularity);
      Object.assign(moved.locations, Object.fromEntries(locations));
      moved.unresolved.push(...unresolved);
    }
  if (!("faults" in schema.calculated)) fillCalculated(data, schema.calculated);
  const found = Object.values(moved.locations);
  const facts = {
    found: found.length,
    unresolved: moved.unresolved.length,
    confidence: meanConfidence(found),
  };
  return { data, sources: moved, facts };
}
