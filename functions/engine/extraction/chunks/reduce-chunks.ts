/** Joins the answers of all chunks into one result `{header, records}`, with its evidence and its faults. */
import { isObject, type Json, type JsonObject, own, setOwn } from "../../../ports/json.ts";
import type { SourceLocation, SourceLocations, UnresolvedLeaf } from "../../layout/source-locations.ts";
import type { DataFault } from "../../schema/data-faults.ts";
import {
  type CalculatedFields,
  fillCalculated,
  readCalculatedFields,
} from "../../schema/formulas/calculated-fields.ts";
import { escapeStep, pointerOf, stepsOf } from "../../schema/json-pointer.ts";
import { leavesOf } from "../../schema/result-leaves.ts";
import { validPart } from "../../schema/valid-part.ts";
import { compileSchema } from "../../schema/validator.ts";
import type { ChunkAnswer, Evidence, FoundRecord } from "./chunk-answer.ts";
import { pagesText } from "./layout-chunks.ts";
import { mergeOverlaps } from "./merge-overlaps.ts";
import type { ListForm, RecordForm } from "./record-form.ts";

export interface AnsweredChunk {
  pages: readonly number[];
  answer: ChunkAnswer;
}

export interface ReduceRequest {
  form: RecordForm;
  /** In document order; chunks without an answer are left out. */
  chunks: AnsweredChunk[];
  /** The header's answer, when one was asked for and given. */
  header?: ChunkAnswer;
  dedupKey?: string;
  /** Validate the data against the user's schema: a model made it. */
  held: boolean;
  /** Known gaps. */
  lacks: DataFault[];
  granularity: SourceLocations["granularity"];
  pages: SourceLocations["pages"];
}

export interface Reduced {
  result: { header: Json; records: Json[] };
  sources: SourceLocations;
  faults: DataFault[];
  facts: { found: number; unresolved: number; confidence: number | null };
}

/** Evidence by pointer into the result. */
type EvidenceByPointer = Map<string, Omit<Evidence, "pointer">>;

const isBlank = (value: Json | undefined): boolean => value === undefined || value === null || value === "";

/** Joins the members beside the records of all chunks: the first value wins, lists are concatenated. */
function joinRest(parts: readonly FoundRecord[]): FoundRecord {
  const value: JsonObject = {};
  const evidence: Evidence[] = [];
  for (const part of parts) {
    for (const [name, member] of Object.entries(isObject(part.value) ? part.value : {})) {
      const begin = `/${escapeStep(name)}`;
      const there = own(value, name);
      const added = Array.isArray(there) && Array.isArray(member) ? there.length : 0;
      if (!isBlank(there) && !(Array.isArray(there) && Array.isArray(member))) continue;
      const joined = Array.isArray(there) && Array.isArray(member) ? [...there, ...member] : member;
      setOwn(value, name, joined);
      for (const one of part.evidence) {
        if (one.pointer === begin || one.pointer.startsWith(`${begin}/`)) evidence.push(shiftIndex(one, added));
      }
    }
  }
  return { value, evidence };
}

/** Shifts evidence by the number of items that precede it. */
function shiftIndex(one: Evidence, by: number): Evidence {
  if (by === 0) return one;
  const [name = "", index, ...steps] = stepsOf(one.pointer);
  return index === undefined ? one : { ...one, pointer: pointerOf([name, Number(index) + by, ...steps]) };
}

/** The header's own members, completed from the members beside the records. */
function headerOf(request: ReduceRequest): FoundRecord | undefined {
  const rest = joinRest(request.chunks.map(({ answer }) => answer.rest));
  const isRest = isObject(rest.value) && Object.keys(rest.value).length > 0;
  const header = request.header?.rest;
  if (header === undefined) return isRest ? rest : undefined;
  return isRest && isObject(header.value) ? joinRest([header, rest]) : header;
}

/** Adds a record's evidence under a pointer. */
function addEvidence(known: EvidenceByPointer, begin: string, { evidence }: FoundRecord): void {
  for (const { pointer, ...one } of evidence) known.set(`${begin}${pointer}`, one);
}

/** Maps a pointer into the user's container to `header` and `records` of the result. */
const placeInResult = (pointer: string, list: string): string => {
  const [name, ...steps] = stepsOf(pointer);
  if (name === undefined) return "/records";
  return name === list ? pointerOf(["records", ...steps]) : pointerOf(["header", name, ...steps]);
};

/** Computes formulas over all records; replaces the chunks' own values. */
function calculate(container: JsonObject, calculated: CalculatedFields, list: string, known: EvidenceByPointer): void {
  for (const pointer of fillCalculated(container, calculated)) {
    known.set(placeInResult(pointer, list), { reason: "derived" });
  }
}

interface Assembled {
  header: Json;
  records: FoundRecord[];
}

/** The container of the user's schema: the list, and the members beside it. */
function containerOf({ header, records }: Assembled, form: ListForm): JsonObject {
  const members = isObject(header) ? Object.entries(header) : [];
  const beside = Object.fromEntries(members.filter(([name]) => form.rest.includes(name)));
  return { ...beside, [form.list]: records.map(({ value }) => value) };
}

/** The records that are left after validation, each with its evidence. */
function keptRecords(before: readonly FoundRecord[], after: readonly Json[]): FoundRecord[] {
  let at = 0;
  return after.map((value) => {
    while (at < before.length && before[at]?.value !== value && value !== null) at += 1;
    const found = before[at];
    at += 1;
    return { value, evidence: found?.evidence ?? [] };
  });
}

/**
 * Validates all records together against the user's schema, if asked: their number, and the members beside them. Computes
 * the calculated fields.
 * @returns faults with pointers into the result
 */
function checkWhole(assembled: Assembled, form: ListForm, held: boolean, known: EvidenceByPointer): DataFault[] {
  const calculated = readCalculatedFields(form.whole);
  if (!("schema" in calculated)) return [];
  const container = containerOf(assembled, form);
  const part = held ? validPart(container, compileSchema(calculated.schema)) : { data: container, faults: [] };
  if ("fault" in part) return [{ pointer: "/records", message: part.fault.message }];
  calculate(container, calculated, form.list, known);
  const list = own(container, form.list);
  assembled.records = keptRecords(assembled.records, Array.isArray(list) ? list : []);
  const beside = Object.entries(container).filter(([name]) => name !== form.list);
  if (beside.length > 0) {
    const members = isObject(assembled.header) ? Object.entries(assembled.header) : [];
    const others = members.filter(([name]) => !form.rest.includes(name));
    assembled.header = Object.fromEntries([...others, ...beside]);
  }
  return part.faults.map(({ pointer, message }) => ({ pointer: placeInResult(pointer, form.list), message }));
}

/** Faults of the chunks, mapped to the records' places in the result. */
function chunkFaults(chunks: readonly AnsweredChunk[], places: ReadonlyMap<FoundRecord, number>): DataFault[] {
  return chunks.flatMap(({ answer, pages }) =>
    answer.faults.flatMap(({ record, pointer, message }): DataFault[] => {
      const found = record === null ? undefined : answer.records[record];
      const at = found === undefined ? undefined : places.get(found);
      if (at !== undefined) return [{ pointer: `/records/${at}${pointer}`, message }];
      // Faults of removed repetitions are dropped: the record that stays has its own.
      if (found !== undefined) return [];
      return [
        { pointer: "/records", message: `${pagesText(pages)}: ${pointer === "" ? "" : `${pointer} `}${message}` },
      ];
    }),
  );
}

/** Lists every leaf of the result once, as located or unresolved. */
function listLeaves(
  result: Reduced["result"],
  known: EvidenceByPointer,
  request: ReduceRequest,
): Pick<Reduced, "sources" | "facts"> {
  const { values, unlocatable } = leavesOf(result as unknown as Json, null, new Set());
  const locations: [string, SourceLocation][] = [];
  const unresolved = unlocatable.map(({ pointer, reason }): UnresolvedLeaf => {
    const there = known.get(pointer);
    return there?.doubt?.candidates === undefined
      ? { pointer, reason }
      : { pointer, reason: there.reason ?? reason, ...there.doubt };
  });
  for (const { pointer } of values) {
    const there = known.get(pointer);
    if (there?.location !== undefined) locations.push([pointer, there.location]);
    else unresolved.push({ pointer, reason: there?.reason ?? "not-found", ...there?.doubt });
  }
  const total = locations.reduce((sum, [, { confidence }]) => sum + confidence, 0);
  return {
    sources: {
      version: 1,
      granularity: request.granularity,
      pages: request.pages,
      locations: Object.fromEntries(locations),
      unresolved,
    },
    facts: {
      found: locations.length,
      unresolved: unresolved.length,
      confidence: locations.length === 0 ? null : Number((total / locations.length).toFixed(3)),
    },
  };
}

/** Faults without duplicates of place and message. */
function distinct(faults: readonly DataFault[]): DataFault[] {
  const seen = new Map(faults.map((fault) => [`${fault.pointer} ${fault.message}`, fault]));
  return [...seen.values()];
}

/** Merges the answers of all chunks into one result. @throws JobFailure for a schema that cannot be used */
export function reduceChunks(request: ReduceRequest): Reduced {
  const { form, chunks, dedupKey, lacks, held } = request;
  const before = chunks.map(({ answer, pages }) => ({ pages, records: answer.records }));
  const merged = before.map((chunk) => ({ ...chunk }));
  if (dedupKey !== undefined) mergeOverlaps(merged, dedupKey);
  const header = headerOf(request);
  const assembled: Assembled = { header: header?.value ?? null, records: merged.flatMap(({ records }) => records) };
  const places = new Map(assembled.records.map((record, at) => [record, at]));
  const faults = [
    ...lacks,
    ...(request.header?.faults ?? []).map(({ pointer, message }) => ({ pointer: `/header${pointer}`, message })),
    ...chunkFaults(chunks, places),
  ];
  const filled: EvidenceByPointer = new Map();
  if (form.kind === "list") faults.push(...checkWhole(assembled, form, held, filled));
  const known: EvidenceByPointer = new Map();
  if (header !== undefined) addEvidence(known, "/header", header);
  for (const [at, record] of assembled.records.entries()) addEvidence(known, `/records/${at}`, record);
  for (const [pointer, reason] of filled) known.set(pointer, reason);
  const result = { header: assembled.header, records: assembled.records.map(({ value }) => value) };
  return { result, faults: distinct(faults), ...listLeaves(result, known, request) };
}
