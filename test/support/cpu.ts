/**
 * The least CPU time of some tries, in milliseconds: beside other work on a shared machine, tries take longer than the
 * work is worth, never less. Ends with the first try that takes less than `enough`.
 */
export function leastCpu(tries: number, enough: number, work: () => void): number {
  let least = Infinity;
  for (let count = 0; count < tries && least >= enough; count += 1) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

/** Of the processor: what other programs take does not count. */
export const cpuSeconds = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1e6;
};
