/** Shares columns among the headings above them. */

/**
 * Gives each heading the columns that are nearer to it than to the others, where all headings then have the same number
 * of columns, two or more; the first columns may be without a heading. Undefined where they do not come out even.
 * @param headings middles, left to right
 * @param columns middles, left to right
 * @returns first and last column of each heading
 */
export function shareColumns(
  headings: readonly number[],
  columns: readonly number[],
): [from: number, to: number][] | undefined {
  if (headings.length < 2) return undefined;
  const groups = headings.map((): number[] => []);
  columns.forEach((middle, column) => {
    const distances = headings.map((heading) => Math.abs(heading - middle));
    groups[distances.indexOf(Math.min(...distances))]?.push(column);
  });
  const size = groups.at(-1)?.length ?? 0;
  const [first, ...others] = groups;
  if (size < 2 || first === undefined || first.length < size) return undefined;
  if (others.some((group) => group.length !== size)) return undefined;
  return [first.slice(-size), ...others].map((group) => [group[0] ?? 0, group.at(-1) ?? 0]);
}
