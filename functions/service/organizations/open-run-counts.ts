/**
 * How many runs are open, by organization: what overload is judged by. A counter for each, written beside the runs and not
 * with them, for all runs of an organization would contend for one record; what a crash makes it wrong by, the sweep puts
 * right, which sees all open runs anyway.
 */
import { ConditionFailed, ServiceUnavailable } from "../../ports/errors.ts";
import { queryAll, type Records, type RecordValue } from "../../ports/records.ts";
import type { SystemRecords } from "./organization-records.ts";

const PARTITION = "sys/open-runs";
/** Seconds; a document takes a few. */
const COME_AGAIN = 10;

interface OpenRunsRecord extends RecordValue {
  v: 1;
  open: number;
}

/** What of the counters an organization's work may touch. */
export interface OpenRuns {
  /** @throws ServiceUnavailable, with a time to come again, when no more runs may be opened */
  admit(): Promise<void>;
  opened(): Promise<void>;
  ended(): Promise<void>;
}

async function countsOf(records: Pick<Records, "query">): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  for await (const { key, value } of queryAll<OpenRunsRecord>(records, { partition: PARTITION, limit: 1000 })) {
    counts.set(Number(key.sort), value.open);
  }
  return counts;
}

export function openRunsOf(
  records: Records,
  organizationId: number,
  limits: { maxOpenRuns: number; orgOpenRuns: number },
): OpenRuns {
  const key = { partition: PARTITION, sort: String(organizationId) };
  return {
    async admit() {
      const counts = await countsOf(records);
      const own = counts.get(organizationId) ?? 0;
      const all = counts.values().reduce((sum, open) => sum + open, 0);
      if (own < limits.orgOpenRuns && all < limits.maxOpenRuns) return;
      const whose = own < limits.orgOpenRuns ? "The service has" : "Your organization has";
      throw new ServiceUnavailable(`${whose} too many open runs; try again when some have ended`, {
        retryAfter: COME_AGAIN,
      });
    },
    async opened() {
      await records.add(key, { open: 1 });
    },
    async ended() {
      try {
        await records.add(key, { open: -1 }, { open: 0 });
      } catch (error) {
        // Put right by the sweep in between.
        if (!(error instanceof ConditionFailed)) throw error;
      }
    },
  };
}

/** Makes the counters be what was counted. */
export async function correctOpenRuns(system: SystemRecords, counted: ReadonlyMap<number, number>): Promise<void> {
  const noted = await countsOf(system);
  for (const id of new Set([...noted.keys(), ...counted.keys()])) {
    const open = counted.get(id) ?? 0;
    if (noted.get(id) !== open) await system.put({ partition: PARTITION, sort: String(id) }, { v: 1, open });
  }
}
