/** Entries as callers see them: JSON, JSON lines and CSV. */
import { csvOf } from "../../engine/exports/csv-file.ts";
import type { Entry, EntryKind } from "./entry.ts";

export interface EntryView {
  id: string;
  at: string;
  kind: EntryKind;
  /** Change of the balance. */
  amount: number;
  balance: number;
  /** Change of the open holds. */
  held: number;
  /** Tokens that work has used. */
  tokens: number;
  jobGuid?: string;
  run?: number;
  reason: string;
}

export const viewEntry = ({ seq, at, kind, amount, balance, held, tokens, guid, run, reason }: Entry): EntryView => ({
  id: String(seq),
  at,
  kind,
  amount,
  balance,
  held,
  tokens,
  ...(guid === undefined ? {} : { jobGuid: guid }),
  ...(run === undefined ? {} : { run }),
  reason,
});

const COLUMNS = ["id", "at", "kind", "amount", "balance", "held", "tokens", "jobGuid", "run", "reason"] as const;

/** Entries as CSV with a line of names. */
export const entriesCsv = (entries: readonly Entry[]): Uint8Array =>
  csvOf(
    {
      path: "",
      columns: [...COLUMNS],
      rows: entries.map((entry) => COLUMNS.map((column) => viewEntry(entry)[column] ?? null)),
    },
    { mark: false },
  );
