/** The answer for one chunk, or for the header: its records, each with the sources of its values. */
import { isObject, type Json, type JsonObject, own } from "../../../ports/json.ts";
import type { SourceLocation, SourceLocations, UnresolvedLeaf } from "../../layout/source-locations.ts";
import type { DataFault } from "../../schema/data-faults.ts";
import { pointerOf, stepsOf } from "../../schema/json-pointer.ts";
import { leavesOf } from "../../schema/result-leaves.ts";
import type { RowStatements } from "../answers/stated-limits.ts";
import type { RecordForm, RecordListSpec } from "./record-form.ts";

/** The place of one leaf, or the reason for having none. */
export interface Evidence {
  /** Relative to the record. */
  pointer: string;
  location?: SourceLocation;
  reason?: string;
  /** Absent for a leaf with a place. */
  doubt?: Doubt;
}

/** The evidence for a value without a place. */
export type Doubt = Pick<UnresolvedLeaf, "confidence" | "evidence" | "candidates">;

export interface FoundRecord {
  value: Json;
  evidence: Evidence[];
}

/** A fault of a record, of the members beside the records, or of the chunk as a whole. */
interface ChunkFault extends DataFault {
  /** Index in `records`; null when `pointer` starts at the members beside them. */
  record: number | null;
}

export interface ChunkAnswer extends RowStatements {
  records: FoundRecord[];
  /** Members beside the list; of a header, all members. */
  rest: FoundRecord;
  faults: ChunkFault[];
}

export interface ChunkResult {
  data: Json;
  sources: Pick<SourceLocations, "locations" | "unresolved">;
  faults: DataFault[];
  /** Number of words before the chunk's part of a page, by page. */
  skipped: ReadonlyMap<number, number>;
  /** Text before the chunk that the model was given as context. */
  before?: string;
}

/** Shifts references: `p7/w3` counts from the chunk's part of the page, the document from the page's first word. */
function toDocumentReferences(location: SourceLocation, skipped: ReadonlyMap<number, number>): SourceLocation {
  if (skipped.size === 0) return location;
  const sourceRefs = location.sourceRefs.map((reference) => {
    const [, page, word] = /^p(\d+)\/w(\d+)$/.exec(reference) ?? [];
    return page === undefined ? reference : `p${page}/w${Number(word) + (skipped.get(Number(page)) ?? 0)}`;
  });
  return { ...location, sourceRefs };
}

function evidenceOf({ sources, skipped }: ChunkResult): Evidence[] {
  const found = Object.entries(sources.locations).map(
    ([pointer, location]): Evidence => ({ pointer, location: toDocumentReferences(location, skipped) }),
  );
  const others = sources.unresolved.map(({ pointer, reason, ...doubt }): Evidence => ({ pointer, reason, doubt }));
  return [...found, ...others];
}

/** Reasons of values that do not come from the document. */
const GIVEN_REASONS = new Set(["derived", "constant"]);

/** Any leaf comes from the document. */
function hasExtractedValue(value: Json, evidence: readonly Evidence[]): boolean {
  const given = new Set(evidence.flatMap(({ pointer, reason }) => (GIVEN_REASONS.has(reason ?? "") ? [pointer] : [])));
  const leaves = leavesOf(value, null, new Set()).values;
  return leaves.some(({ pointer }) => !given.has(pointer));
}

/** Text as letters and digits; numbers without trailing zeros, however they are printed. */
const plainText = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/[.,]0+(?!\d)|(?<=[.,]\d*[1-9])0+(?!\d)/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()} `;

/** A record of the text before the chunk: all its values stand there, and not all of them on the chunk's pages. */
function isFromContext(value: Json, evidence: readonly Evidence[], context: string | undefined): boolean {
  if (context === undefined) return false;
  const { values } = leavesOf(value, null, new Set());
  const located = new Set(evidence.flatMap(({ pointer, location }) => (location === undefined ? [] : [pointer])));
  const texts = values.filter(({ value: leaf }) => leaf !== "");
  return (
    texts.length > 0 &&
    texts.some(({ pointer }) => !located.has(pointer)) &&
    texts.every(({ value: leaf }) => context.includes(plainText(String(leaf))))
  );
}

/** A general result has pairs or tables; type and language are returned for empty pages too. */
function hasGeneralContent(value: Json, evidence: readonly Evidence[]): boolean {
  const lists = isObject(value) ? [own(value, "key_values"), own(value, "tables")] : [];
  if (lists.every((list) => list === undefined)) return hasExtractedValue(value, evidence);
  return lists.some((list) => typeof list === "object" && list !== null && Object.keys(list).length > 0);
}

const plainFault = ({ pointer, message }: DataFault): ChunkFault => ({ record: null, pointer, message });

/** The answer as one record: a header, or a general result. */
function wholeAnswer(result: ChunkResult): FoundRecord {
  return { value: result.data, evidence: evidenceOf(result) };
}

/** Evidence by record, and the evidence outside of records. */
function groupEvidence(
  evidence: readonly Evidence[],
  list: string,
): { rest: Evidence[]; byRecord: Map<number, Evidence[]> } {
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

/** Maps faults, whose pointers are into the unpruned answer, to the records that were kept. */
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

/** The records of a chunk; records without extracted values are left out. */
export function readChunkAnswer(result: ChunkResult, form: RecordForm): ChunkAnswer {
  const nothing: FoundRecord = { value: {}, evidence: [] };
  if (form.kind === "general") {
    const whole = wholeAnswer(result);
    const records = hasGeneralContent(whole.value, whole.evidence) ? [whole] : [];
    const faults = result.faults.map((fault) => ({ ...fault, record: records.length > 0 ? 0 : null }));
    return { records, rest: nothing, faults };
  }
  const { list } = form;
  const data: JsonObject = isObject(result.data) ? result.data : {};
  const given = own(data, list);
  const { rest: restEvidence, byRecord } = groupEvidence(evidenceOf(result), list);
  const context = result.before === undefined ? undefined : plainText(result.before);
  const kept = new Map<number, number>();
  const records: FoundRecord[] = [];
  for (const [at, value] of (Array.isArray(given) ? given : []).entries()) {
    const evidence = byRecord.get(at) ?? [];
    if (!hasExtractedValue(value, evidence) || isFromContext(value, evidence, context)) continue;
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

/** A pointer to the list of records, or into it, as a pointer into `{records}`. */
function toRecords(pointer: string, list: string): string {
  const [name, ...steps] = stepsOf(pointer.startsWith("/") ? pointer : `/${pointer}`);
  return name === list ? pointerOf(["records", ...steps]) : pointer;
}

/** The statements about a chunk's rows, whose pointers begin with the list's name, about `{records}`. */
export const statementsOf = ({ stated = [], declined = [] }: RowStatements, form: RecordForm): RowStatements => ({
  ...(declined.length === 0 ? {} : { declined }),
  ...(stated.length === 0 || form.kind === "general"
    ? {}
    : { stated: stated.map((limit) => ({ ...limit, list: toRecords(limit.list, form.list) })) }),
});

/** Records as the result `{records}`, with the places of their values. */
export function answerAsResult(records: readonly FoundRecord[]): {
  data: { records: Json[] };
  locations: SourceLocations["locations"];
} {
  const located = records.flatMap(({ evidence }, at) =>
    evidence.flatMap(({ pointer, location }): [string, SourceLocation][] =>
      location === undefined ? [] : [[`/records/${at}${pointer}`, location]],
    ),
  );
  return { data: { records: records.map(({ value }) => value) }, locations: Object.fromEntries(located) };
}

/** The answer from the header's pages. */
export const readHeaderAnswer = (result: ChunkResult): ChunkAnswer => ({
  records: [],
  rest: wholeAnswer(result),
  faults: result.faults.map(plainFault),
});

/**
 * Normalizes records as models give them to an object that holds them in its list. A bare list is the records; so is the
 * only list of an object without members of a record; any other object is one record.
 */
export function toRecordList(data: Json, { list, rest, names }: RecordListSpec): Json {
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
