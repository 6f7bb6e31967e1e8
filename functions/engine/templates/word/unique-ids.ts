/** Identifiers that loops have repeated: drawings and content controls each need one of their own. */

/** Names that stand in the markup of each kind, and where its numbers are. */
const IDENTIFIERS: readonly (readonly [string, RegExp])[] = [
  [":docPr", /(<\w+:docPr\s[^>]*?\bid=")(\d+)(")/gu],
  ["<w:sdtPr>", /(<w:sdtPr>(?:(?!<\/w:sdtPr>).)*?<w:id\s+w:val=")(-?\d+)("\s*\/>)/gsu],
];

/** Gives each repetition of an identifier a free one; the first keeps it. */
function renumber(xml: string, [name, pattern]: (typeof IDENTIFIERS)[number]): string {
  if (!xml.includes(name)) return xml;
  const found = [...xml.matchAll(pattern)].map((match) => match[2] ?? "");
  const taken = new Set(found);
  if (taken.size === found.length) return xml;
  const seen = new Set<string>();
  let next = 1;
  return xml.replaceAll(pattern, (whole, before: string, id: string, after: string) => {
    if (!seen.has(id)) {
      seen.add(id);
      return whole;
    }
    while (taken.has(String(next))) next += 1;
    taken.add(String(next));
    return `${before}${next}${after}`;
  });
}

export const withUniqueIds = (xml: string): string => IDENTIFIERS.reduce(renumber, xml);
