/** Work on many items, some at a time. */

/** Requests on their way at the same time. */
const AT_ONCE = 4;

/** Results in the order of the items, some under way at a time; after one failure nothing further is begun. */
export async function mapSome<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
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
  const ended = await Promise.allSettled(Array.from({ length: Math.min(AT_ONCE, items.length) }, worker));
  for (const end of ended) if (end.status === "rejected") throw end.reason;
  return results;
}
