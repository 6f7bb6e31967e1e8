/** Compares two reports of a set: improved and degraded scores and documents. */
import type { DocumentReport, EvaluationStatus, Fault, Report } from "./report.ts";
import { differenceOf, type Interval, type Score } from "./score.ts";

export interface Change {
  /** Null: all fields. */
  field: string | null;
  measure: "recall" | "precision";
  before: number;
  after: number;
  /** 95 % confidence interval of the difference. */
  interval: Interval;
  /** `better` and `worse` only when the interval excludes 0. */
  verdict: "better" | "worse" | "within";
}

export interface DocumentChange {
  name: string;
  before: EvaluationStatus;
  after: EvaluationStatus;
  mended: Fault[];
  broken: Fault[];
}

export interface ReportComparison {
  changes: Change[];
  documents: DocumentChange[];
  /** Documents that only one of the reports has. */
  added: string[];
  removed: string[];
}

function changesOf(field: string | null, before: Score, after: Score): Change[] {
  return (["recall", "precision"] as const).flatMap((measure): Change[] => {
    const [old, now] = [before[measure], after[measure]];
    const interval = differenceOf(old, now);
    if (interval === null || old.share === null || now.share === null || old.share === now.share) return [];
    const verdict = interval.low > 0 ? "better" : interval.high < 0 ? "worse" : "within";
    return [{ field, measure, before: old.share, after: now.share, interval, verdict }];
  });
}

/** The key of a fault. Spurious entries have no stable place from run to run, so their value counts. */
const faultKey = ({ verdict, field, pointer, got }: Fault): string =>
  verdict === "spurious" ? `${field} ${JSON.stringify(got)}` : pointer;

/** The faults without a counterpart in the other list; their kind does not matter. */
function faultsNotIn(faults: readonly Fault[], others: readonly Fault[]): Fault[] {
  const known = new Map<string, number>();
  for (const other of others) known.set(faultKey(other), (known.get(faultKey(other)) ?? 0) + 1);
  return faults.filter((fault) => {
    const count = known.get(faultKey(fault)) ?? 0;
    known.set(faultKey(fault), count - 1);
    return count <= 0;
  });
}

function documentChange(before: DocumentReport, after: DocumentReport): DocumentChange[] {
  const mended = faultsNotIn(before.faults, after.faults);
  const broken = faultsNotIn(after.faults, before.faults);
  if (mended.length + broken.length === 0 && before.status === after.status) return [];
  return [{ name: after.name, before: before.status, after: after.status, mended, broken }];
}

/** @param before the older report */
export function compareReports(before: Report, after: Report): ReportComparison {
  const old = new Map(before.documents.map((one) => [one.name, one]));
  const now = new Set(after.documents.map(({ name }) => name));
  const fields = Object.keys(after.fields).filter((field) => Object.hasOwn(before.fields, field));
  return {
    changes: [
      ...changesOf(null, before.total, after.total),
      ...fields.flatMap((field) => {
        const [was, is] = [before.fields[field], after.fields[field]];
        return was === undefined || is === undefined ? [] : changesOf(field, was, is);
      }),
    ],
    documents: after.documents.flatMap((document) => {
      const was = old.get(document.name);
      return was === undefined ? [] : documentChange(was, document);
    }),
    added: after.documents.flatMap(({ name }) => (old.has(name) ? [] : [name])),
    removed: before.documents.flatMap(({ name }) => (now.has(name) ? [] : [name])),
  };
}
