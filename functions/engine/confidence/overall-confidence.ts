/** The overall confidence of a result. */

/** Share of a field's values, and of a result's fields, that decides. */
const WEAKEST_SHARE = 0.1;

/** The mean of the weakest tenth, at least of one value. */
function meanOfWeakest(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const part = sorted.slice(0, Math.max(1, Math.floor(sorted.length * WEAKEST_SHARE)));
  return part.reduce((sum, value) => sum + value, 0) / part.length;
}

/**
 * The overall confidence of a result: how far its weakest part can be trusted. A mean would hide one bad field among
 * many good ones; a minimum would always be low in a long table. So each field (all cells of a column are one) counts
 * with the mean of the weakest tenth of its values, and the result with the mean of the weakest tenth of its fields: up
 * to nineteen fields, that is the weakest field.
 * @param values by the path of their field @returns null without values
 */
export function overallConfidence(values: Iterable<{ path: string; confidence: number }>): number | null {
  const fields = new Map<string, number[]>();
  for (const { path, confidence } of values) {
    const field = fields.get(path);
    if (field === undefined) fields.set(path, [confidence]);
    else field.push(confidence);
  }
  return fields.size === 0 ? null : meanOfWeakest([...fields.values()].map(meanOfWeakest));
}
