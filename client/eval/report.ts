/** The report of an evaluation as data: written, read back, and compared. */

import type { Json } from "../json.ts";
import type { JobStatus, PageBox, SourceLocations } from "../types.ts";
import type { Judgement } from "./judge.ts";
import { type Score, scoreOf, scoresBy } from "./score.ts";

/** REFUSED: the service refused the document; TIMEOUT: its run took too long. */
export type EvaluationStatus = JobStatus | "REFUSED" | "TIMEOUT";

/** An evaluated document. */
export interface Evaluated {
  name: string;
  /** The group, such as a language or a supplier, for scores of its own. */
  group: string | null;
  guid: string | null;
  status: EvaluationStatus;
  error: string | null;
  engine: string | null;
  confidence: number | null;
  /** From the upload to the result. */
  seconds: number;
  judgements: readonly Judgement[];
  sources: SourceLocations | null;
}

/** The first box of a value. Inches from the page's top left corner, or points in forms. */
interface FaultPlace {
  pageNumber: number;
  unit: "inch" | "point";
  bbox: PageBox;
}

/** A value that is not right. */
export interface Fault {
  field: string;
  /** Pointer into the expected data, or into the returned data where no value is expected. */
  pointer: string;
  /** Pointer into the returned data; null where nothing was returned. */
  gotAt: string | null;
  verdict: "wrong" | "missing" | "spurious";
  expected: Json;
  got: Json;
  /** 0 to 1. */
  similarity: number;
  confidence: number | null;
  place: FaultPlace | null;
}

export interface DocumentReport extends Omit<Evaluated, "judgements" | "sources"> {
  score: Score;
  faults: Fault[];
}

export interface WorstFault extends Fault {
  /** The document's name. */
  document: string;
  /** The file of the page's picture, if one was saved. */
  picture: string | null;
}

export interface Report {
  version: 1;
  /** The set's name. */
  set: string;
  /** The service's address. */
  service: string;
  /** ISO 8601, UTC. */
  createdAt: string;
  statuses: Partial<Record<EvaluationStatus, number>>;
  total: Score;
  fields: Record<string, Score>;
  groups: Record<string, Score>;
  documents: DocumentReport[];
  /** The faults with the greatest harm. */
  worst: WorstFault[];
}

function faultOf(judgement: Judgement, sources: SourceLocations | null): Fault[] {
  const { field, expectedAt, gotAt, verdict, expected, got, similarity } = judgement;
  if (verdict === "right" || verdict === "absent") return [];
  const locations = sources?.locations ?? {};
  const location = gotAt !== null && Object.hasOwn(locations, gotAt) ? locations[gotAt] : undefined;
  const anchor = location?.pageAnchors[0];
  return [
    {
      field,
      pointer: expectedAt ?? gotAt ?? field,
      gotAt,
      verdict,
      expected,
      got,
      similarity,
      confidence: location?.confidence ?? null,
      place: anchor === undefined ? null : { pageNumber: anchor.pageNumber, unit: anchor.unit, bbox: anchor.bbox },
    },
  ];
}

/** A wrong value harms more than a spurious one, and that more than a missing one; high confidence adds harm. */
const HARM_BY_VERDICT = { wrong: 2, spurious: 1, missing: 0 };

const harmOf = ({ verdict, confidence, similarity }: Fault): number =>
  HARM_BY_VERDICT[verdict] + (verdict === "missing" ? 0 : (confidence ?? 0.5) * 0.9) + (1 - similarity) * 0.09;

function documentReport({ judgements, sources, ...facts }: Evaluated): DocumentReport {
  return {
    ...facts,
    score: scoreOf(judgements),
    faults: judgements.flatMap((judgement) => faultOf(judgement, sources)),
  };
}

interface ReportOptions {
  set: string;
  service: string;
  createdAt: string;
  /** The number of worst faults to name. */
  worst: number;
}

/** The report on a set's documents, in their order. */
export function reportOf(evaluated: readonly Evaluated[], { worst, ...facts }: ReportOptions): Report {
  const all = evaluated.flatMap(({ judgements }) => judgements);
  const grouped = evaluated.flatMap(({ group, judgements }) =>
    group === null ? [] : judgements.map((judgement) => ({ ...judgement, group })),
  );
  const statuses: Report["statuses"] = {};
  for (const { status } of evaluated) statuses[status] = (statuses[status] ?? 0) + 1;
  const documents = evaluated.map(documentReport);
  const faults = documents.flatMap(({ name, faults: own }) =>
    own.map((fault) => ({ ...fault, document: name, picture: null })),
  );
  return {
    version: 1,
    ...facts,
    statuses,
    total: scoreOf(all),
    fields: scoresBy(all, ({ field }) => field),
    groups: scoresBy(grouped, ({ group }) => group),
    documents,
    worst: faults.sort((a, b) => harmOf(b) - harmOf(a)).slice(0, worst),
  };
}

/** Parses a stored report. @returns undefined for any other JSON, or another version */
export function readReport(value: Json): Report | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const isReport = value.version === 1 && Array.isArray(value.documents) && typeof value.fields === "object";
  return isReport && typeof value.total === "object" ? (value as unknown as Report) : undefined;
}
