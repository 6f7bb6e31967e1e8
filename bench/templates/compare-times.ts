/** Processor time of filling a template, beside a library alone on the same values. */
import { type Repeated, repeatUntilNarrow } from "../support/repeat.ts";

export type Measures = "ours" | "bare" | "ratio";

/** Milliseconds of the processor: other programs make them hardly longer. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** Times both ways in turns, until their ratio is known. @param mostMs milliseconds that are measured for at most */
export function compareTimes(
  ways: Record<"ours" | "bare", () => Promise<unknown>>,
  mostMs: number,
): Promise<Repeated<Measures>> {
  return repeatUntilNarrow(
    async (index) => {
      // In turns, so that neither always finds the memory that the other one left.
      const order = index % 2 === 0 ? (["ours", "bare"] as const) : (["bare", "ours"] as const);
      const times = { ours: 0, bare: 0 };
      for (const way of order) times[way] = await timed(ways[way]);
      return { ...times, ratio: times.ours / times.bare };
    },
    { narrow: ["ratio"], leastRounds: 8, mostMs },
  );
}
