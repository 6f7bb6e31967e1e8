/** A list of texts as the value of a header. */

/** Characters of one header: servers and proxies take 8 KB of all of them. */
const MAX_HEADER_CHARS = 4_000;

/**
 * Joins texts by commas, each percent-encoded where it has other characters than a header's; texts that do not fit are
 * left out.
 */
export function headerList(texts: readonly string[]): string {
  let list = "";
  for (const text of texts) {
    const one = encodeURIComponent(text.toWellFormed());
    const longer = list === "" ? one : `${list},${one}`;
    if (longer.length > MAX_HEADER_CHARS) continue;
    list = longer;
  }
  return list;
}
