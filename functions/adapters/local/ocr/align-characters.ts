/** Aligns the characters of two readings of one text. */

/** Letters without their accents and widths, so that readings of the same letter are equal. */
export const withoutAccents = (text: string): string => text.normalize("NFKD").replaceAll(/\p{M}/gu, "");

/**
 * Aligns two texts at the least number of changes (Levenshtein).
 * @returns for each character of `own` the index of its equal in `other`, accents aside; undefined where there is none
 */
export function alignCharacters(own: string, other: string): (number | undefined)[] {
  const [a, b] = [own, other].map((text) =>
    Array.from({ length: text.length }, (_, at) => withoutAccents(text.charAt(at))),
  );
  if (a === undefined || b === undefined) return [];
  const across = b.length + 1;
  const costs = new Uint16Array((a.length + 1) * across);
  const cost = (i: number, j: number): number => costs[i * across + j] ?? 0;
  for (let i = a.length; i >= 0; i -= 1) {
    for (let j = b.length; j >= 0; j -= 1) {
      if (i === a.length || j === b.length) costs[i * across + j] = a.length - i + (b.length - j);
      else {
        const step = cost(i + 1, j + 1) + (a[i] === b[j] ? 0 : 1);
        costs[i * across + j] = Math.min(step, cost(i + 1, j) + 1, cost(i, j + 1) + 1);
      }
    }
  }
  const partners: (number | undefined)[] = Array.from({ length: a.length });
  for (let [i, j] = [0, 0]; i < a.length && j < b.length; ) {
    const isEqual = a[i] === b[j];
    if (cost(i, j) === cost(i + 1, j + 1) + (isEqual ? 0 : 1)) {
      if (isEqual) partners[i] = j;
      [i, j] = [i + 1, j + 1];
    } else if (cost(i, j) === cost(i + 1, j) + 1) i += 1;
    else j += 1;
  }
  return partners;
}
