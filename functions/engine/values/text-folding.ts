/** Words: folding for comparison, splitting of names. Pure string work, without words of any language. */

/** Printed ASCII but for the grave accent: only its capitals fold. Most text is such. */
const PLAIN = /^[ -_a-~]*$/;

/** Lower case without diacritics; ligatures and ß spelt out. Keeps every other character. */
export function foldText(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/ß/g, "ss")
    .replace(/œ/g, "oe")
    .replace(/æ/g, "ae")
    .replace(/ø/g, "o")
    .replace(/ł/g, "l")
    .replace(/ı/g, "i")
    .replace(/đ/g, "d")
    .replace(/ς/g, "σ")
    .replace(/[’‘ʼ`´]/g, "'")
    .replace(/[‐‑‒–—−]/g, "-");
}

/** Folding may change a text's length (ß → ss); this one keeps it, so that positions hold. */
export function foldInPlace(text: string): string {
  let out = "";
  for (const char of text) {
    const folded = foldText(char);
    out +=
      folded.length === char.length ? folded : char.toLowerCase().length === char.length ? char.toLowerCase() : char;
  }
  return out;
}

/** The words of a property name: `invoiceNumber`, `invoice_number`, `InvoiceNo` and `invoice-number` all split. */
export function splitName(name: string): string[] {
  return name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, "$1 $2")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .map((word) => foldText(word));
}

/** Trims white space and the punctuation that clings to a value in running text. */
export function trimValue(text: string): string {
  let value = text.replace(/\s+/g, " ").trim();
  value = value.replace(/^[:;,|*•·\-–—=>]+\s*/u, "").replace(/\s*[:;,|*•·]+$/u, "");
  if (/^\(.*\)$/.test(value) && !value.slice(1, -1).includes("(")) value = value.slice(1, -1);
  return value.trim();
}

/** Levenshtein distance, given up (returning `limit + 1`) as soon as it exceeds `limit`. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    let best = i;
    for (let j = 1; j <= b.length; j += 1) {
      const cost = Math.min(
        (previous[j] ?? 0) + 1,
        (current[j - 1] ?? 0) + 1,
        (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
      );
      current.push(cost);
      best = Math.min(best, cost);
    }
    if (best > limit) return limit + 1;
    previous = current;
  }
  return previous[b.length] ?? limit + 1;
}
