/**
 * Records of an organization's ledger. `ledger`: the account, the holds and grants, and what ended runs still owe;
 * `ledger-keys`: the keys in use; `ledger-entries`: the entries by time; `ledger-days`: used tokens by day (UTC). Every
 * transaction of the ledger writes the account on the condition that it is as it was read, so that all of them have one
 * order.
 */
import type { RecordKey, RecordOperation, Records, RecordValue } from "../../ports/records.ts";
import { type CommandReads, type LedgerCommand, readsOf } from "./apply-command.ts";
import type { Entry } from "./entry.ts";
import {
  type Account,
  EMPTY_ACCOUNT,
  type Grant,
  type Hold,
  type LedgerDraft,
  type LedgerView,
  type UsedKey,
} from "./ledger-state.ts";

/** An operation that is written with the ledger's own; each is on one record, one piece of due work, or one payment. */
export type LedgerOperation = RecordOperation | { kind: `${"due" | "payment"}-${string}`; id: string };

/** The organization's own records. */
export interface LedgerRecords<Operation extends LedgerOperation = LedgerOperation>
  extends Pick<Records, "get" | "query"> {
  transact(operations: (RecordOperation | Operation)[]): Promise<void>;
}

type Stored<T> = RecordValue & T;

export const LEDGER = "ledger";
export const ENTRIES = "ledger-entries";
export const DAYS = "ledger-days";
export const HOLD_PREFIX = "hold/";
export const GRANT_PREFIX = "grant/";

const ACCOUNT_KEY: RecordKey = { partition: LEDGER, sort: "account" };
const holdKey = (id: string): RecordKey => ({ partition: LEDGER, sort: `${HOLD_PREFIX}${id}` });
/** @param key begins with the prefix */
const grantKey = (key: string): RecordKey => ({ partition: LEDGER, sort: key });
const usedKeyKey = (key: string): RecordKey => ({ partition: "ledger-keys", sort: key });
export const dayKey = (day: string): RecordKey => ({ partition: DAYS, sort: day });
const entryKey = ({ at, seq }: Entry): RecordKey => ({
  partition: ENTRIES,
  sort: `${at}/${String(seq).padStart(12, "0")}`,
});

export async function loadAccount(
  records: Pick<LedgerRecords, "get">,
): Promise<{ account: Account; version: number | undefined }> {
  const stored = await records.get<Stored<Account>>(ACCOUNT_KEY);
  return { account: stored?.value ?? EMPTY_ACCOUNT, version: stored?.version };
}

export const loadHold = async (records: Pick<LedgerRecords, "get">, id: string): Promise<Hold | undefined> =>
  (await records.get<Stored<Hold>>(holdKey(id)))?.value;

/** A view with all that some commands read; read after the account, whose version guards it. */
export async function loadView(
  records: Pick<LedgerRecords, "get">,
  account: Account,
  commands: readonly LedgerCommand[],
): Promise<LedgerView> {
  const reads = commands.map(readsOf);
  const load = async <T>(member: keyof CommandReads, toKey: (name: string) => RecordKey): Promise<Map<string, T>> => {
    const names = [...new Set(reads.flatMap((one) => one[member] ?? []))];
    const found = await Promise.all(names.map((name) => records.get<Stored<T>>(toKey(name))));
    return new Map(names.flatMap((name, at) => (found[at] === undefined ? [] : [[name, found[at].value as T]])));
  };
  const [keys, holds, grants] = await Promise.all([
    load<UsedKey>("key", usedKeyKey),
    load<Hold>("hold", holdKey),
    load<Grant>("grant", grantKey),
  ]);
  return {
    account,
    usedKey: (key) => keys.get(key),
    hold: (id) => holds.get(id),
    grant: (key) => grants.get(key),
  };
}

/**
 * Operations that write a draft.
 * @param version of the account as it was read; undefined: there was none
 */
export async function writesOf(
  records: Pick<LedgerRecords, "get">,
  draft: LedgerDraft,
  version: number | undefined,
): Promise<RecordOperation[]> {
  const condition = version === undefined ? ({ ifAbsent: true } as const) : { ifVersion: version };
  const put = (key: RecordKey, value: object): RecordOperation => ({ kind: "put", key, value: { v: 1, ...value } });
  const once = (key: RecordKey, value: object): RecordOperation => ({
    kind: "put",
    key,
    value: { v: 1, ...value },
    condition: { ifAbsent: true },
  });
  return [
    { kind: "put", key: ACCOUNT_KEY, value: { v: 1, ...draft.account }, condition },
    ...draft.entries.map((entry) => once(entryKey(entry), entry)),
    ...[...draft.keys.values()].map((used) => once(usedKeyKey(used.key), used)),
    ...[...draft.holds.values()].map((hold) => put(holdKey(hold.id), hold)),
    ...[...draft.grants.values()].map((grant) => put(grantKey(grant.key), grant)),
    ...(await dayWrites(records, draft)),
  ];
}

/** The totals of the draft's days; the account's version guards what is read. */
async function dayWrites(records: Pick<LedgerRecords, "get">, { entries }: LedgerDraft): Promise<RecordOperation[]> {
  const used = new Map<string, number>();
  for (const { at, tokens } of entries) {
    if (tokens > 0) used.set(at.slice(0, 10), (used.get(at.slice(0, 10)) ?? 0) + tokens);
  }
  return Promise.all(
    [...used].map(async ([day, tokens]) => {
      const before = (await records.get<Stored<{ tokens: number }>>(dayKey(day)))?.value.tokens ?? 0;
      return { kind: "put" as const, key: dayKey(day), value: { v: 1, day, tokens: before + tokens } };
    }),
  );
}

/** An entry without what only its record has. */
export function entryOf({ v: _version, ...entry }: Stored<Entry>): Entry {
  return entry as unknown as Entry;
}
