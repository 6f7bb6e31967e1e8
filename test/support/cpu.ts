/**
 * The least CPU time of several tries, in milliseconds: on a shared machine other load only makes tries longer. Ends
 * with the first try below `enough`.
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

/** CPU time, which other programs do not affect. */
export const cpuSeconds = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1e6;
};
