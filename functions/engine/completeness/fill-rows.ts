/**
 * Reads missing rows from the page by example: known rows give the columns, unread rows give the values. The rows count
 * only if the same reading reproduces the known rows.
 */
import type { Json } from "../../ports/json.ts";
import { meaningOf } from "../extraction/rules/field-meaning.ts";
import { type Extraction, type Finding, type Granularity, locateFinding } from "../extraction/rules/findings.ts";
import { type Conventions, readerFor } from "../extraction/rules/value-reader.ts";
import { meanConfidence } from "../layout/mean-confidence.ts";
import type { SourceLocations } from "../layout/source-locations.ts";
import { fillCalculated } from "../schema/formulas/calculated-fields.ts";
import { pointTo } from "../schema/json-pointer.ts";
import type { ParsedSchema } from "../schema/parsed-schema.ts";
import type { Field, Shape } from "../schema/schema-shape.ts";
import { type CandidateRow, wordEdges } from "../structure/records/candidate-rows.ts";
import { type ColumnLayout, columnAt } from "../structure/records/column-layout.ts";
import type { PageRows, RowGroup } from "../structure/records/row-group-types.ts";
import type { Token } from "../structure/view/tokens.ts";
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
/** The same as for values that the offline extractor reads from columns. */
const COLUMN_READING_CONFIDENCE = 0.8;

interface ColumnField {
  field: Field;
  path: string;
  column: number;
  always: boolean;
}

function wordsByColumn(columnLayout: ColumnLayout, row: CandidateRow): Map<number, Token[]> {
  const found = new Map<number, Token[]>();
  for (const word of row.words) {
    const column = columnAt(columnLayout, wordEdges(row, word));
    if (column === undefined) continue;
    const own = found.get(column) ?? [];
    own.push(word);
    found.set(column, own);
  }
  // A cell of several lines is read line by line.
  for (const own of found.values()) own.sort((a, b) => a.index - b.index);
  return found;
}

class ColumnReader {
  readonly #columnLayout: ColumnLayout;
  readonly #fields: readonly ColumnField[];
  readonly #conventions: Conventions;

  constructor(columnLayout: ColumnLayout, fields: readonly ColumnField[], conventions: Conventions) {
    this.#columnLayout = columnLayout;
    this.#fields = fields;
    this.#conventions = conventions;
  }

  /** Reads a row's fields from their columns. @returns by path; undefined if a required field is missing */
  read(row: CandidateRow): Map<string, Finding> | undefined {
    const cells = wordsByColumn(this.#columnLayout, row);
    const found = new Map<string, Finding>();
    for (const { field, path, column, always } of this.#fields) {
      const finding = this.#cell(field, cells.get(column) ?? []);
      if (finding !== undefined) found.set(path, finding);
      else if (always) return undefined;
    }
    return found;
  }

  #cell(field: Field, words: readonly Token[]): Finding | undefined {
    if (words.length === 0) return undefined;
    const text = words.map((word) => word.text).join(" ");
    const [reading] = readerFor(field, meaningOf(field), this.#conventions).read(text);
    if (reading === undefined) return undefined;
    let start = 0;
    const tokens = words.filter((word) => {
      const from = start;
      start += word.text.length + 1;
      return from < reading.end && reading.start < from + word.text.length;
    });
    if (tokens.length === 0) return undefined;
    return { value: reading.value, tokens, confidence: COLUMN_READING_CONFIDENCE * reading.fit };
  }
}

const sameValue = (a: Json, b: Json): boolean =>
  a === b || (typeof a === "string" && typeof b === "string" && a.replace(/\s+/g, " ") === b.replace(/\s+/g, " "));

/** Learns a reader for the rows of a group; undefined if the known rows do not determine it. */
function learnReader(
  list: DataList,
  known: readonly (readonly [ListItem, number])[],
  group: RowGroup,
  { rows, sources, conventions }: FillRequest,
): ColumnReader | undefined {
  if (known.length < MIN_KNOWN_ROWS) return undefined;
  const columns = fieldColumns(known, group.columnLayout, sources, rows.candidates);
  const filledCounts = new Map<string, number>();
  for (const [item] of known)
    for (const { path } of item.leaves) filledCounts.set(path, (filledCounts.get(path) ?? 0) + 1);
  const fields = [...fieldPaths(list)].flatMap(([path, field]): ColumnField[] => {
    const column = columns.get(path);
    const always = (filledCounts.get(path) ?? 0) >= ALWAYS_FILLED_SHARE * known.length;
    return column === undefined || field.calculated ? [] : [{ field, path, column, always }];
  });
  // A required field without a column cannot be read.
  for (const [path, count] of filledCounts)
    if (count >= ALWAYS_FILLED_SHARE * known.length && !fields.some((one) => one.path === path)) return undefined;
  const reader = new ColumnReader(group.columnLayout, fields, conventions);
  return reproducesKnownRows(reader, known.slice(0, MAX_TRIED_ROWS), rows) ? reader : undefined;
}

function reproducesKnownRows(
  reader: ColumnReader,
  known: readonly (readonly [ListItem, number])[],
  { candidates }: PageRows,
): boolean {
  let values = 0;
  let right = 0;
  for (const [item, order] of known) {
    const row = candidates.all[order];
    const found = row === undefined ? undefined : reader.read(row);
    for (const { path, value } of item.leaves) {
      values += 1;
      const finding = found?.get(path);
      if (finding !== undefined && sameValue(finding.value, value)) right += 1;
    }
  }
  return values > 0 && right >= MIN_REPRODUCED_SHARE * values;
}

/** Builds an item of the list's shape; fields that were not found are null. */
function buildItem(shape: Shape, path: string, found: ReadonlyMap<string, Finding>): Json {
  if (shape.kind === "list") return [];
  if (shape.kind !== "object") return found.get(path)?.value ?? null;
  return Object.fromEntries(
    shape.members.map(({ name, shape: member }) => [name, buildItem(member, pointTo(path, name), found)]),
  );
}

interface ReadRow extends FoundRow {
  found: Map<string, Finding>;
  path: string;
}

function readRows(list: DataList, missing: readonly MissingRow[], request: FillRequest): ReadRow[] {
  const { rows, sources } = request;
  const { shape } = list;
  if (shape === null) return [];
  const groupOf = new Map(
    rows.groups.flatMap((group) => group.parts.flatMap((part) => part.rows.map((row) => [row.order, group] as const))),
  );
  const known = Map.groupBy(placesFromSources(list, sources, rows.candidates), ([, order]) => groupOf.get(order));
  const readers = new Map<RowGroup, ColumnReader | undefined>();
  return missing.flatMap((row): ReadRow[] => {
    const group = groupOf.get(row.order);
    const candidate = rows.candidates.all[row.order];
    if (group === undefined || candidate === undefined) return [];
    if (!readers.has(group)) {
      readers.set(group, learnReader(list, known.get(group) ?? [], group, request));
    }
    const found = readers.get(group)?.read(candidate);
    const path = `${list.path}/*`;
    return found === undefined || found.size === 0
      ? []
      : [{ missing: row, row: buildItem(shape.item, path, found), found, path }];
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
  const byRow = new Map(read.map((one) => [one.missing.order, one]));
  const changes = mergeRows(data, read, []);
  const moved = moveSources(sources, changes);
  const move = pointerMover(changes);
  for (const { list, added } of changes)
    for (const { at, found } of added) {
      const one = byRow.get(found.missing.order);
      const pointer = pointTo(move(list) ?? list, at);
      for (const [path, finding] of one?.found ?? [])
        moved.locations[`${pointer}${path.slice(one?.path.length ?? 0)}`] = locateFinding(finding, granularity);
      moved.unresolved.push(...nullsIn(found.row, pointer));
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

/** Pointers of a new row's empty leaves. */
function nullsIn(value: Json, pointer: string): SourceLocations["unresolved"] {
  if (value === null) return [{ pointer, reason: "null-value" }];
  if (typeof value !== "object") return [];
  const members = Object.entries(value);
  if (members.length === 0) return [{ pointer, reason: "empty" }];
  return members.flatMap(([name, member]) => nullsIn(member, pointTo(pointer, name)));
}
