/**
 * The ledger of an organization over Records. Commands that arrive together are written in one transaction, in the order
 * of their arrival; those of other processes are waited out, read anew and decided anew. Whatever is decided is decided
 * on the state that the transaction finds.
 */
import type { Clock } from "../../ports/clock.ts";
import { ConditionFailed, ServiceUnavailable } from "../../ports/errors.ts";
import { queryAll, type RecordValue } from "../../ports/records.ts";
import { applyCommand, type LedgerCommand } from "./apply-command.ts";
import type { Entry } from "./entry.ts";
import {
  DAYS,
  ENTRIES,
  entryOf,
  GRANT_PREFIX,
  HOLD_PREFIX,
  LEDGER,
  type LedgerOperation,
  type LedgerRecords,
  loadAccount,
  loadHold,
  loadView,
  writesOf,
} from "./ledger-records.ts";
import { type Account, type Grant, type Hold, LedgerDraft } from "./ledger-state.ts";
import { Reconciliation } from "./reconcile-ledger.ts";

export interface EntryQuery {
  /** ISO 8601, both included. */
  from?: string;
  to?: string;
  limit?: number;
  cursor?: string;
  ascending?: boolean;
}

export interface Ledger<Operation extends LedgerOperation = LedgerOperation> {
  /**
   * Carries out commands, all or none, with further operations of the same transaction.
   * @param also is written also when the commands were carried out before
   * @throws LedgerRefusal; ConditionFailed for a condition of `also`; ServiceUnavailable when others keep it busy
   */
  post(commands: readonly LedgerCommand[], also?: readonly Operation[]): Promise<void>;
  account(): Promise<Account>;
  hold(id: string): Promise<Hold | undefined>;
  /** A page of entries, newest first unless `ascending`. @throws BadRequest for a cursor of another query */
  entries(query: EntryQuery): Promise<{ entries: Entry[]; cursor?: string }>;
  /** Used tokens by day (UTC), newest first, at most `limit` days. */
  days(range: { from?: string; to?: string; limit: number }): Promise<{ day: string; tokens: number }[]>;
  /** Recomputes everything from the entries. @returns the differences, as sentences */
  reconcile(): Promise<{ account: Account; drift: string[] }>;
}

interface Posting {
  commands: readonly LedgerCommand[];
  also: readonly LedgerOperation[];
  done: PromiseWithResolvers<void>;
  /** Milliseconds since 1970, after which the posting is given up. */
  until: number;
}

/** Time for which a posting waits for others, in milliseconds; a request of the API has 30 s. */
const MAX_WAIT_MS = 20_000;
/** Operations of a transaction: the store takes 100, and account and day are two. */
const MAX_TRANSACTION_OPERATIONS = 96;
/** Most records that a command writes: its entry, its key, and a hold or grant. */
const COMMAND_RECORDS = 3;
/** Pauses after a lost race: spread below a bound that doubles. */
const FIRST_PAUSE_MS = 4;
const MAX_PAUSE_MS = 400;

/** A share from 0 to below 1, spread by the random end of a GUID. */
const shareOf = (guid: string): number => Number.parseInt(guid.slice(-4), 16) / 0x10000;

type LedgerClock = Pick<Clock, "now" | "sleep" | "guid">;

/** Where the ledger of an organization is. */
export interface LedgerPlace<Operation extends LedgerOperation = LedgerOperation> {
  /** The store that all processes of the organization share; the same object within a process. */
  store: object;
  organizationId: number;
  /** The organization's own, in the store. */
  records: LedgerRecords<Operation>;
  clock: LedgerClock;
}

/** Writes the postings of one organization, one transaction at a time. */
class Poster {
  readonly #records: LedgerRecords;
  readonly #clock: LedgerClock;
  readonly #waiting: Posting[] = [];
  #isAtWork = false;

  constructor(records: LedgerRecords, clock: LedgerClock) {
    this.#records = records;
    this.#clock = clock;
  }

  post(commands: readonly LedgerCommand[], also: readonly LedgerOperation[]): Promise<void> {
    const done = Promise.withResolvers<void>();
    this.#waiting.push({ commands, also, done, until: this.#clock.now() + MAX_WAIT_MS });
    if (!this.#isAtWork) void this.#work();
    return done.promise;
  }

  async #work(): Promise<void> {
    this.#isAtWork = true;
    // Postings of the same moment are written together.
    await Promise.resolve();
    try {
      while (this.#waiting.length > 0) await this.#write(this.#next());
    } finally {
      this.#isAtWork = false;
    }
  }

  /** As many postings as fit one transaction, at least one. A transaction takes one operation of a record. */
  #next(): Posting[] {
    const targets = new Set<string>();
    let operations = 0;
    let count = 0;
    for (const { commands, also } of this.#waiting) {
      operations += commands.length * COMMAND_RECORDS + also.length;
      const own = also.map(targetOf);
      const fits = operations <= MAX_TRANSACTION_OPERATIONS && !own.some((target) => targets.has(target));
      if (count > 0 && !fits) break;
      for (const target of own) targets.add(target);
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  /** Writes postings; each is resolved or rejected. */
  async #write(postings: readonly Posting[]): Promise<void> {
    let open = [...postings];
    let pause = FIRST_PAUSE_MS;
    try {
      while (open.length > 0) {
        open = await this.#attempt(open);
        if (open.length === 0) return;
        const now = this.#clock.now();
        for (const { done } of open.filter(({ until }) => now >= until)) done.reject(busy());
        open = open.filter(({ until }) => now < until);
        await this.#clock.sleep(shareOf(this.#clock.guid()) * pause);
        pause = Math.min(MAX_PAUSE_MS, pause * 2);
      }
    } catch (error) {
      for (const { done } of open) done.reject(error);
    }
  }

  /** One transaction. @returns the postings that lost a race, and are to be decided anew */
  async #attempt(postings: Posting[]): Promise<Posting[]> {
    const { account, version } = await loadAccount(this.#records);
    const commands = postings.flatMap((one) => one.commands);
    const now = new Date(this.#clock.now()).toISOString();
    const draft = new LedgerDraft(await loadView(this.#records, account, commands), now);
    const accepted = postings.filter((posting) => isAccepted(draft, posting, now));
    const changes = draft.entries.length > 0 || draft.holds.size > 0;
    const writes = changes ? await writesOf(this.#records, draft, version) : [];
    const also = accepted.flatMap((one) => one.also);
    try {
      if (writes.length + also.length > 0) await this.#records.transact([...writes, ...also]);
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      return withoutFailed(accepted, error, writes.length);
    }
    for (const { done } of accepted) done.resolve();
    return [];
  }
}

const targetOf = (operation: LedgerOperation): string =>
  "key" in operation
    ? `${operation.key.partition} ${operation.key.sort}`
    : `${operation.kind.split("-", 1)[0]} ${operation.id}`;

const busy = (): ServiceUnavailable =>
  new ServiceUnavailable("The organization's ledger is busy; try again", { retryAfter: 1 });

/** Carries out a posting on the draft; a refused one is rejected, and changes nothing. */
function isAccepted(draft: LedgerDraft, { commands, done }: Posting, now: string): boolean {
  const own = new LedgerDraft(draft, now);
  try {
    for (const command of commands) applyCommand(own, command);
  } catch (error) {
    done.reject(error);
    return false;
  }
  draft.absorb(own);
  return true;
}

/** Rejects the postings whose own operations failed. @returns the others */
function withoutFailed(postings: readonly Posting[], error: ConditionFailed, first: number): Posting[] {
  const failed = new Set(error.failed);
  let position = first;
  return postings.filter(({ also, done }) => {
    const own = also.filter((_, at) => failed.has(position + at)).length;
    position += also.length;
    if (own > 0) done.reject(error);
    return own === 0;
  });
}

/** Posters by store and organization: the requests of a process meet in one. */
const posters = new WeakMap<object, Map<number, Poster>>();

function posterOf({ store, organizationId, records, clock }: LedgerPlace): Poster {
  const ofStore = posters.get(store) ?? new Map<number, Poster>();
  posters.set(store, ofStore);
  const poster = ofStore.get(organizationId) ?? new Poster(records as LedgerRecords, clock);
  ofStore.set(organizationId, poster);
  return poster;
}

type Kept<T> = RecordValue & T;

async function reconcileLedger(records: LedgerRecords): Promise<{ account: Account; drift: string[] }> {
  for (;;) {
    const before = await loadAccount(records);
    const reconciliation = new Reconciliation();
    for await (const { value } of queryAll<Kept<Entry>>(records, { partition: ENTRIES, limit: 1000 }))
      reconciliation.add(entryOf(value));
    const all = async <T>(partition: string, prefix?: string): Promise<Kept<T>[]> => {
      const query = { partition, limit: 1000, ...(prefix === undefined ? {} : { prefix }) };
      const found: Kept<T>[] = [];
      for await (const { value } of queryAll<Kept<T>>(records, query)) found.push(value);
      return found;
    };
    const [holds, grants] = [await all<Hold>(LEDGER, HOLD_PREFIX), await all<Grant>(LEDGER, GRANT_PREFIX)];
    const days = await all<{ day: string; tokens: number }>(DAYS);
    // Others wrote meanwhile: what was read belongs to no one moment.
    if ((await loadAccount(records)).version !== before.version) continue;
    const byDay = new Map(days.map(({ day, tokens }) => [day, tokens]));
    const { account } = before;
    return { account, drift: reconciliation.compare({ account, holds, grants, days: byDay }) };
  }
}

/** The ledger of an organization. */
export function openLedger<Operation extends LedgerOperation>(place: LedgerPlace<Operation>): Ledger<Operation> {
  const own = place.records as LedgerRecords;
  return {
    post: (commands, also = []) => posterOf(place as LedgerPlace).post(commands, also),
    account: async () => (await loadAccount(own)).account,
    hold: (id) => loadHold(own, id),
    async entries({ from = "0", to = "9", limit = 100, cursor, ascending = false }) {
      const page = await own.query<Kept<Entry>>({
        partition: ENTRIES,
        from,
        // A time stands before the sequence number of its entry.
        to: `${to}~`,
        descending: !ascending,
        limit,
        ...(cursor === undefined ? {} : { cursor }),
      });
      const entries = page.items.map(({ value }) => entryOf(value));
      return page.cursor === undefined ? { entries } : { entries, cursor: page.cursor };
    },
    async days({ from = "0", to = "9", limit }) {
      const range = { partition: DAYS, from: from.slice(0, 10), to: to.slice(0, 10), descending: true, limit };
      const { items } = await own.query<Kept<{ day: string; tokens: number }>>(range);
      return items.map(({ value: { day, tokens } }) => ({ day, tokens }));
    },
    reconcile: () => reconcileLedger(own),
  };
}
