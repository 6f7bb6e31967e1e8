import type { Json } from "../../../ports/json.ts";
import type { SourceLocation, SourceLocations } from "../../layout/source-locations.ts";
import { type DataFault, pointerOf, stepsOf } from "../../schema/data-faults.ts";
import { isObject, type JsonObject, own } from "../../schema/json-text.ts";
import { leavesOf } from "../../schema/result-leaves.ts";
import type { ListWish, RecordForm } from "./record-form.ts";

/** Of one leaf: where it stands, or why it stands nowhere. */
export interface Evidence {
  /** From the record on. */
  pointer: string;
  location?: SourceLocation;
  reason?: string;
}

export interface FoundRecord {
  value: Json;
  evidence: Evidence[];
}

/** A fault of a record, of the members beside the records, or of the chunk as a whole. */
interface ChunkFault extends DataFault {
  /** Position in `records`; null: `pointer` begins at the members beside them. */
  record: number | null;
}

export interface ChunkAnswer {
  records: FoundRecord[];
  /** Members of the container beside its list; of a header, all of it. */
  rest: FoundRecord;
  faults: ChunkFault[];
}

export interface ChunkResult {
  data: Json;
  sources: Pick<SourceLocations, "locations" | "unresolved">;
  faults: DataFault[];
  /** Words of a page that stand before the chunk's share of it. */
  skipped: ReadonlyMap<number, number>;
}

/** `p7/w3` counts the words of the chunk's share; the document counts those before it too. */
function shifted(location: SourceLocation, skipped: ReadonlyMap<number, number>): SourceLocation {
  if (skipped.size === 0) return location;
  const sourceRefs = location.sourceRefs.map((reference) => {
    const [, page, word] = /^p(\d+)\/w(\d+)$/.exec(reference) ?? [];
    return page === undefined ? reference : `p${page}/w${Number(word) + (skipped.get(Number(page)) ?? 0)}`;
  });
  return { ...location, sourceRefs };
}

function evidenceOf({ sources, skipped }: ChunkResult): Evidence[] {
  const found = Object.entries(sources.locations).map(
    ([pointer, location]): Evidence => ({ pointer, location: shifted(location, skipped) }),
  );
  return [...found, ...sources.unresolved.map(({ pointer, reason }): Evidence => ({ pointer, reason }))];
}

/** Values that the document has no part in. */
const GIVEN = new Set(["derived", "constant"]);

/** Whether any of the leaves was taken from the document. */
function saysSomething(value: Json, evidence: readonly Evidence[]): boolean {
  const given = new Set(evidence.flatMap(({ pointer, reason }) => (GIVEN.has(reason ?? "") ? [pointer] : [])));
  const leaves = leavesOf(value, null, new Set()).values;
  return leaves.some(({ pointer }) => !given.has(pointer));
}

/** A general result says something where it has pairs or tables: kind and language are told of an empty page too. */
function generalSays(value: Json, evidence: readonly Evidence[]): boolean {
  const lists = isObject(value) ? [own(value, "key_values"), own(value, "tables")] : [];
  if (lists.every((list) => list === undefined)) return saysSomething(value, evidence);
  return lists.some((list) => typeof list === "object" && list !== null && Object.keys(list).length > 0);
}

const plainFault = ({ pointer, message }: DataFault): ChunkFault => ({ record: null, pointer, message });

/** All of it is one thing: a header, or a general result. */
function wholeAnswer(result: ChunkResult): FoundRecord {
  return { value: result.data, evidence: evidenceOf(result) };
}

/** Evidence by record, and of what is none. */
function parted(evidence: readonly Evidence[], list: string): { rest: Evidence[]; byRecord: Map<number, Evidence[]> } {
  const rest: Evidence[] = [];
  const byRecord = new Map<number, Evidence[]>();
  for (const one of evidence) {
    const [name, index, ...steps] = stepsOf(one.pointer);
    if (name !== list) rest.push(one);
    else if (index !== undefined) {
      const at = Number(index);
      const known = byRecord.get(at) ?? [];
      known.push({ ...one, pointer: pointerOf(steps) });
      byRecord.set(at, known);
    }
  }
  return { rest, byRecord };
}

/**
 * Places of faults are of the answer before anything was taken out of it: records that were taken out move those behind.
 */
function placeFaults(faults: readonly DataFault[], list: string, kept: ReadonlyMap<number, number>): ChunkFault[] {
  const out = new Set<number>();
  for (const { pointer } of faults) {
    const [name, index, ...more] = stepsOf(pointer);
    if (name === list && index !== undefined && more.length === 0) out.add(Number(index));
  }
  return faults.map((fault) => {
    const [name, index, ...steps] = stepsOf(fault.pointer);
    if (name !== list || index === undefined) return plainFault(fault);
    const at = Number(index);
    const before = [...out].filter((one) => one < at).length;
    const record = out.has(at) ? undefined : kept.get(at - before);
    if (record !== undefined) return { record, pointer: pointerOf(steps), message: fault.message };
    return { record: null, pointer: `/${list}`, message: `a record was left out: ${fault.message}` };
  });
}

/** The records of a chunk; those that say nothing are none. */
export function readAnswer(result: ChunkResult, form: RecordForm): ChunkAnswer {
  const nothing: FoundRecord = { value: {}, evidence: [] };
  if (form.kind === "general") {
    const whole = wholeAnswer(result);
    const records = generalSays(whole.value, whole.evidence) ? [whole] : [];
    const faults = result.faults.map((fault) => ({ ...fault, record: records.length > 0 ? 0 : null }));
    return { records, rest: nothing, faults };
  }
  const { list } = form;
  const data: JsonObject = isObject(result.data) ? result.data : {};
  const given = own(data, list);
  const { rest: restEvidence, byRecord } = parted(evidenceOf(result), list);
  const kept = new Map<number, number>();
  const records: FoundRecord[] = [];
  for (const [at, value] of (Array.isArray(given) ? given : []).entries()) {
    const evidence = byRecord.get(at) ?? [];
    if (!saysSomething(value, evidence)) continue;
    kept.set(at, records.length);
    records.push({ value, evidence });
  }
  const rest = Object.fromEntries(Object.entries(data).filter(([name]) => name !== list));
  return {
    records,
    rest: { value: rest, evidence: restEvidence },
    faults: placeFaults(result.faults, list, kept),
  };
}

/** What the header's pages gave. */
export const readHeader = (result: ChunkResult): ChunkAnswer => ({
  records: [],
  rest: wholeAnswer(result),
  faults: result.faults.map(plainFault),
});

/**
 * Data as models give records, as an object that holds them in its list: a list is the records, so is the list of an
 * object that holds one under another name and no member of a record, and any other object is one record.
 */
export function asRecords(data: Json, { list, rest, names }: ListWish): Json {
  if (data === null) return { [list]: [] };
  if (Array.isArray(data)) return { [list]: data };
  if (!isObject(data)) return data;
  const given = own(data, list);
  if (given !== undefined) {
    if (Array.isArray(given)) return data;
    return { ...data, [list]: given === null ? [] : [given] };
  }
  const entries = Object.entries(data);
  const beside = Object.fromEntries(entries.filter(([name]) => rest.includes(name)));
  const others = entries.filter(([name]) => !rest.includes(name));
  if (others.length === 0) return { ...beside, [list]: [] };
  const lists = others.flatMap(([, value]) => (Array.isArray(value) ? [value] : []));
  const foreign = names.length > 0 && others.every(([name]) => !names.includes(name));
  const [records] = lists;
  const isList = lists.length === 1 && (others.length === 1 ? !names.includes(others[0]?.[0] ?? "") : foreign);
  return { ...beside, [list]: isList && records !== undefined ? records : [Object.fromEntries(others)] };
}
