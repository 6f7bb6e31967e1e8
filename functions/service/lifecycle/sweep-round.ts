/**
 * A round over all due work, in parts. Each sweep continues at the stored place of the last one, in any process, so
 * that every piece gets its turn. Work on a piece is safe to repeat.
 */
import type { Clock } from "../../ports/clock.ts";
import type { RecordValue, StoredRecord } from "../../ports/records.ts";
import { DUE_SHARDS, type SystemRecords } from "../organizations/organization-records.ts";

/** Pieces that are worked on at once: a look at an execution mostly waits for the workflow service. */
export const AT_ONCE = 8;
const PAGE = 100;

const PLACE = { partition: "sys/sweep", sort: "place" };

/** The round goes on behind that sort. */
interface Place extends RecordValue {
  v: 1;
  shard: number;
  after: string;
}

export const duePartition = (shard: number): string => `sys/due/${shard}`;

/** Pages of a shard in order, also while pieces of it go. */
async function* pagesOf<T extends RecordValue>(
  system: SystemRecords,
  shard: number,
  { after, to }: { after: string; to?: string },
): AsyncGenerator<{ page: StoredRecord<T>[]; behind: string }> {
  let behind = after;
  for (;;) {
    const bounds = { ...(behind === "" ? {} : { from: behind }), ...(to === undefined ? {} : { to }) };
    const { items } = await system.query<T>({ partition: duePartition(shard), limit: PAGE, ...bounds });
    const page = items.filter(({ key }) => key.sort !== behind);
    if (page.length > 0) yield { page, behind };
    const last = items.at(-1)?.key.sort;
    if (last === undefined || items.length < PAGE) return;
    behind = last;
  }
}

/** All shards once, from a place on and around to it. */
async function* roundFrom<T extends RecordValue>(system: SystemRecords, { shard, after }: Place) {
  for (let turn = 0; turn <= DUE_SHARDS; turn += 1) {
    if (turn === DUE_SHARDS && after === "") return;
    const at = (shard + turn) % DUE_SHARDS;
    const bounds = turn === DUE_SHARDS ? { after: "", to: after } : { after: turn === 0 ? after : "" };
    for await (const found of pagesOf<T>(system, at, bounds)) yield { shard: at, ...found };
  }
}

/**
 * Works a part of a round off.
 * @param until milliseconds since 1970 @param work never rejects @returns how many pieces it said true of
 */
export async function workRound<T extends RecordValue>(
  system: SystemRecords,
  { clock, until }: { clock: Pick<Clock, "now">; until: number },
  work: (due: StoredRecord<T>) => Promise<boolean>,
): Promise<number> {
  const stored = (await system.get<Place>(PLACE))?.value;
  let acted = 0;
  for await (const { shard, page, behind } of roundFrom<T>(system, stored ?? { v: 1, shard: 0, after: "" })) {
    const keep = (after: string) => system.put(PLACE, { v: 1, shard, after });
    // Before it is worked on: what a sweep does not survive must not stop all those after it.
    await keep(page.at(-1)?.key.sort ?? "");
    let taken = 0;
    const worker = async (): Promise<void> => {
      while (taken < page.length && clock.now() < until) {
        const due = page[taken];
        taken += 1;
        if (due !== undefined && (await work(due))) acted += 1;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    if (taken < page.length) {
      await keep(page[taken - 1]?.key.sort ?? behind);
      return acted;
    }
  }
  return acted;
}
