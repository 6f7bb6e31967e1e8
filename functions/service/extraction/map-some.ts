/** Bounded concurrency. */

/** Concurrent requests. */
const MAX_CONCURRENT_ITEMS = 4;

/**
 * Maps items with bounded concurrency; results are in the order of the items. After a failure no further item begins.
 */
export async function mapConcurrently<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const waiting = [...items.entries()].reverse();
  const worker = async (): Promise<void> => {
    for (let entry = waiting.pop(); entry !== undefined; entry = waiting.pop()) {
      const [at, item] = entry;
      try {
        results[at] = await work(item);
      } catch (error) {
        waiting.length = 0;
        throw error;
      }
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: Math.min(MAX_CONCURRENT_ITEMS, items.length) }, worker));
  for (const end of ended) if (end.status === "rejected") throw end.reason;
  return results;
}
