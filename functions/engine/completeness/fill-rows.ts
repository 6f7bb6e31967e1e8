import type { Json } from "../../ports/json.ts";
import { meaningOf } from "../extraction/rules/field-meaning.ts";
import { type Extraction, type Finding, type Granularity, locate } from "../extraction/rules/findings.ts";
import { type Conventions, readerFor } from "../extraction/rules/value-reader.ts";
import type { SourceLocations } from "../layout/source-locations.ts";
import { fillCalculated, readCalculatedFields } from "../schema/formulas/calculated-fields.ts";
import { type Field, pointTo, readSchema, type Shape } from "../schema/schema-shape.ts";
import type { Token } from "../structure/view/tokens.ts";
import type { Unit, UnitWord } from "./candidate-rows.ts";
import { columnAt, type Frame } from "./column-layout.ts";
import { fieldColumns, fieldPaths } from "./field-columns.ts";
import { placesOf } from "./item-places.ts";
import { type FoundRow, mergeRows } from "./merge-rows.ts";
import { moverOf, moveSources } from "./move-sources.ts";
import type { ListReceipt, MissingRow } from "./reconcile.ts";
import { type DataList, type ListItem, listsOf } from "./result-lists.ts";
import type { PageRows, RowSet } from "./row-groups.ts";

export interface FillRequest {
  rows: PageRows;
  /** Is changed. */
  data: Json;
  sources: SourceLocations;
  conventions: Conventions;
  schema: Json;
  granularity: Granularity;
  lists: readonly ListReceipt[];
}

interface Filled {
  data: Json;
  sources: SourceLocations;
  facts: Extraction["facts"];
}

/** Known rows that the columns are learnt from and tried on. */
const FEWEST_KNOWN = 2;
const MOST_TRIED = 200;
/** Of the known values, so many must come out again. */
const REPRODUCED = 0.95;
/** Fields that so many of the known rows have, a row must have. */
const ALWAYS = 0.9;
/** As the values that the offline extractor reads from columns. */
const CONFIDENCE = 0.8;

interface ColumnField {
  field: Field;
  path: string;
  column: number;
  always: boolean;
}

const tokenOf = (word: UnitWord, { page, box: block, shown }: Unit): Token => ({
  text: word.text,
  words: [],
  key: "",
  box: word.box,
  shown: { box: word.shown, block: shown },
  page,
  index: word.index,
  block,
  confidence: word.confidence,
  em: word.box.bottom - word.box.top,
  bold: false,
  recognised: word.confidence < 1,
});

function wordsIn(frame: Frame, unit: Unit): Map<number, UnitWord[]> {
  const found = new Map<number, UnitWord[]>();
  for (const word of unit.words) {
    const column = columnAt(frame, word);
    if (column === undefined) continue;
    const own = found.get(column) ?? [];
    own.push(word);
    found.set(column, own);
  }
  // A cell of several lines is read line by line.
  for (const own of found.values()) own.sort((a, b) => a.index - b.index);
  return found;
}

class ByColumns {
  readonly #frame: Frame;
  readonly #fields: readonly ColumnField[];
  readonly #conventions: Conventions;

  constructor(frame: Frame, fields: readonly ColumnField[], conventions: Conventions) {
    this.#frame = frame;
    this.#fields = fields;
    this.#conventions = conventions;
  }

  /** By path, what a row says in the columns of its fields; undefined where something is not there that every row has. */
  read(unit: Unit): Map<string, Finding> | undefined {
    const cells = wordsIn(this.#frame, unit);
    const found = new Map<string, Finding>();
    for (const { field, path, column, always } of this.#fields) {
      const finding = this.#cell(field, cells.get(column) ?? [], unit);
      if (finding !== undefined) found.set(path, finding);
      else if (always) return undefined;
    }
    return found;
  }

  #cell(field: Field, words: readonly UnitWord[], unit: Unit): Finding | undefined {
    if (words.length === 0) return undefined;
    const text = words.map((word) => word.text).join(" ");
    const [reading] = readerFor(field, meaningOf(field), this.#conventions).read(text);
    if (reading === undefined) return undefined;
    let start = 0;
    const own = words.filter((word) => {
      const from = start;
      start += word.text.length + 1;
      return from < reading.end && reading.start < from + word.text.length;
    });
    if (own.length === 0) return undefined;
    const tokens = own.map((word) => tokenOf(word, unit));
    return { value: reading.value, tokens, confidence: CONFIDENCE * reading.fit };
  }
}

const same = (a: Json, b: Json): boolean =>
  a === b || (typeof a === "string" && typeof b === "string" && a.replace(/\s+/g, " ") === b.replace(/\s+/g, " "));

/** A reader for the rows of a set; undefined where the known rows do not say how. */
function learn(
  list: DataList,
  known: readonly (readonly [ListItem, number])[],
  set: RowSet,
  { rows, sources, conventions }: FillRequest,
): ByColumns | undefined {
  if (known.length < FEWEST_KNOWN) return undefined;
  const columns = fieldColumns(known, set.frame, sources, rows.units);
  const had = new Map<string, number>();
  for (const [item] of known) for (const { path } of item.leaves) had.set(path, (had.get(path) ?? 0) + 1);
  const fields = [...fieldPaths(list)].flatMap(([path, field]): ColumnField[] => {
    const column = columns.get(path);
    const always = (had.get(path) ?? 0) >= ALWAYS * known.length;
    return column === undefined || field.calculated ? [] : [{ field, path, column, always }];
  });
  // A value that every row has and no column tells cannot be read.
  for (const [path, count] of had)
    if (count >= ALWAYS * known.length && !fields.some((one) => one.path === path)) return undefined;
  const reader = new ByColumns(set.frame, fields, conventions);
  return reproduces(reader, known.slice(0, MOST_TRIED), rows) ? reader : undefined;
}

function reproduces(reader: ByColumns, known: readonly (readonly [ListItem, number])[], { units }: PageRows): boolean {
  let values = 0;
  let right = 0;
  for (const [item, order] of known) {
    const unit = units.all[order];
    const found = unit === undefined ? undefined : reader.read(unit);
    for (const { path, value } of item.leaves) {
      values += 1;
      const finding = found?.get(path);
      if (finding !== undefined && same(finding.value, value)) right += 1;
    }
  }
  return values > 0 && right >= REPRODUCED * values;
}

/** An item of the list's shape with what was found, null elsewhere. */
function itemOf(shape: Shape, path: string, found: ReadonlyMap<string, Finding>): Json {
  if (shape.kind === "list") return [];
  if (shape.kind !== "object") return found.get(path)?.value ?? null;
  return Object.fromEntries(
    shape.members.map(({ name, shape: member }) => [name, itemOf(member, pointTo(path, name), found)]),
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
  const setOf = new Map(
    rows.sets.flatMap((set) => set.parts.flatMap((part) => part.units.map((unit) => [unit.order, set] as const))),
  );
  const known = Map.groupBy(placesOf(list, sources, rows.units), ([, order]) => setOf.get(order));
  const readers = new Map<RowSet, ByColumns | undefined>();
  return missing.flatMap((row): ReadRow[] => {
    const set = setOf.get(row.order);
    const unit = rows.units.all[row.order];
    if (set === undefined || unit === undefined) return [];
    if (!readers.has(set)) {
      readers.set(set, learn(list, known.get(set) ?? [], set, request));
    }
    const found = readers.get(set)?.read(unit);
    const path = `${list.path}/*`;
    return found === undefined || found.size === 0
      ? []
      : [{ missing: row, row: itemOf(shape.item, path, found), found, path }];
  });
}

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : Number((values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(3));

/** Reads what rows are missing from the columns of the others. @returns undefined where nothing could be read */
export function fillRows(request: FillRequest): Filled | undefined {
  const { data, sources, schema, granularity, lists } = request;
  const shape = readSchema(schema);
  const read = listsOf(data, shape).flatMap((list) => {
    const receipt = lists.find(({ path }) => path === list.path);
    return receipt === undefined || receipt.excused ? [] : readRows(list, receipt.missing, request);
  });
  if (read.length === 0) return undefined;
  const byRow = new Map(read.map((one) => [one.missing.order, one]));
  const changes = mergeRows(data, read, []);
  const moved = moveSources(sources, changes);
  const move = moverOf(changes);
  for (const { list, added } of changes)
    for (const { at, found } of added) {
      const one = byRow.get(found.missing.order);
      const pointer = pointTo(move(list) ?? list, at);
      for (const [path, finding] of one?.found ?? [])
        moved.locations[`${pointer}${path.slice(one?.path.length ?? 0)}`] = locate(finding, granularity);
      moved.unresolved.push(...nullsIn(found.row, pointer));
    }
  const calculated = readCalculatedFields(schema);
  if (!("faults" in calculated)) fillCalculated(data, calculated);
  const found = Object.values(moved.locations);
  const facts = {
    found: found.length,
    unresolved: moved.unresolved.length,
    confidence: mean(found.map(({ confidence }) => confidence)),
  };
  return { data, sources: moved, facts };
}

/** Leaves of a new row that hold nothing. */
function nullsIn(value: Json, pointer: string): SourceLocations["unresolved"] {
  if (value === null) return [{ pointer, reason: "null-value" }];
  if (typeof value !== "object") return [];
  const members = Object.entries(value);
  if (members.length === 0) return [{ pointer, reason: "empty" }];
  return members.flatMap(([name, member]) => nullsIn(member, pointTo(pointer, name)));
}
