/** The mean confidence of some locations, to three decimals; null without locations. */
export function meanConfidence(locations: readonly { confidence: number }[]): number | null {
  if (locations.length === 0) return null;
  const total = locations.reduce((sum, { confidence }) => sum + confidence, 0);
  return Number((total / locations.length).toFixed(3));
}
