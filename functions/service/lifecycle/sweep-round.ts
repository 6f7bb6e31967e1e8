/**
 * A round over all due work, in parts. Each sweep continues at the stored place of the last one, in any process, so
 * that every piece gets its turn. Work on a piece is safe to repeat.
 */
import type { Clock } from "../../ports/clock.ts";
import type { RecordValue, StoredRecord } from "../../ports/records.ts";
import { DUE_SHARDS, type SystemRecords } from "../organizations/organization-records.ts";

/** Pieces of due work processed concurrently; each mostly waits for the workflow service. */
export const MAX_CONCURRENT_PIECES = 8;
const PAGE_SIZE = 100;

const POSITION_KEY = { partition: "sys/sweep", sort: "place" };

/** Position of a round; it continues after the sort `after`. */
interface RoundPosition extends RecordValue {
  v: 1;
  shard: number;
  after: string;
}

export const duePartition = (shard: number): string => `sys/due/${shard}`;

/** Pages of a shard's due work in order, also while records are deleted. */
async function* pagesOf<T extends RecordValue>(
  system: SystemRecords,
  shard: number,
  { after, to }: { after: string; to?: string },
): AsyncGenerator<{ page: StoredRecord<T>[]; behind: string }> {
  let behind = after;
  for (;;) {
    const bounds = { ...(behind === "" ? {} : { from: behind }), ...(to === undefined ? {} : { to }) };
    const { items } = await system.query<T>({ partition: duePartition(shard), limit: PAGE_SIZE, ...bounds });
    const page = items.filter(({ key }) => key.sort !== behind);
    if (page.length > 0) yield { page, behind };
    const last = items.at(-1)?.key.sort;
    if (last === undefined || items.length < PAGE_SIZE) return;
    behind = last;
  }
}

/** All shards once, beginning at a position and ending there. */
async function* shardsFrom<T extends RecordValue>(system: SystemRecords, { shard, after }: RoundPosition) {
  for (let turn = 0; turn <= DUE_SHARDS; turn += 1) {
    if (turn === DUE_SHARDS && after === "") return;
    const at = (shard + turn) % DUE_SHARDS;
    const bounds = turn === DUE_SHARDS ? { after: "", to: after } : { after: turn === 0 ? after : "" };
    for await (const found of pagesOf<T>(system, at, bounds)) yield { shard: at, ...found };
  }
}

/**
 * Processes due work, starting where the last call stopped.
 * @param until milliseconds since 1970 @param work never rejects @returns for how many pieces `work` returned true
 */
export async function processRound<T extends RecordValue>(
  system: SystemRecords,
  { clock, until }: { clock: Pick<Clock, "now">; until: number },
  work: (due: StoredRecord<T>) => Promise<boolean>,
): Promise<number> {
  const stored = (await system.get<RoundPosition>(POSITION_KEY))?.value;
  let actedOn = 0;
  for await (const { shard, page, behind } of shardsFrom<T>(system, stored ?? { v: 1, shard: 0, after: "" })) {
    const keep = (after: string) => system.put(POSITION_KEY, { v: 1, shard, after });
    // Recorded before the work, so that a piece that crashes the sweep does not block later pieces.
    await keep(page.at(-1)?.key.sort ?? "");
    let taken = 0;
    const worker = async (): Promise<void> => {
      while (taken < page.length && clock.now() < until) {
        const due = page[taken];
        taken += 1;
        if (due !== undefined && (await work(due))) actedOn += 1;
      }
    };
    await Promise.all(Array.from({ length: MAX_CONCURRENT_PIECES }, worker));
    if (taken < page.length) {
      await keep(page[taken - 1]?.key.sort ?? behind);
      return actedOn;
    }
  }
  return actedOn;
}
