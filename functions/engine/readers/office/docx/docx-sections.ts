/**
 * Sections of a Word document (ECMA-376 part 1, 17.6). Their properties stand at their ends but are needed at their
 * starts, so a scan over the bytes of the main part finds them first.
 */

type HeaderFooterKind = "header" | "footer";

export interface HeaderFooterReference {
  kind: HeaderFooterKind;
  /** Relationship id. */
  id: string;
}

export interface WordSection {
  /** Begins on a page of its own. */
  breaksPage: boolean;
  /** Visible headers and footers that the section before did not have. */
  headersAndFooters: HeaderFooterReference[];
}

/** Longer section properties are invalid. */
const MAX_PROPERTIES_BYTES = 16_384;
const MAX_SECTIONS = 10_000;
/** Bytes before a name: `<` and a prefix. */
const MAX_PREFIX_BYTES = 12;

const attributeOf = (tag: string, name: string): string | undefined =>
  new RegExp(`\\s(?:\\w+:)?${name}\\s*=\\s*["']([^"']*)["']`).exec(tag)?.[1];

function readSection(text: string, evenPages: boolean): WordSection {
  const titlePage = /<(?:\w+:)?titlePg\b([^>]*)>/.exec(text)?.[1];
  const hasTitlePage = titlePage !== undefined && !/val\s*=\s*["'](?:0|false|off)["']/.test(titlePage);
  const references: HeaderFooterReference[] = [];
  for (const [tag, kind] of text.matchAll(/<(?:\w+:)?(header|footer)Reference\b[^>]*>/g)) {
    const id = attributeOf(tag, "id");
    const type = attributeOf(tag, "type") ?? "default";
    const isShown = type === "default" || (type === "first" && hasTitlePage) || (type === "even" && evenPages);
    if (id !== undefined && isShown) references.push({ kind: kind as HeaderFooterKind, id });
  }
  const type = attributeOf(/<(?:\w+:)?type\b[^>]*>/.exec(text)?.[0] ?? "", "val");
  return { breaksPage: type !== "continuous" && type !== "nextColumn", headersAndFooters: references };
}

/**
 * The sections in order; empty for a part that is not in UTF-8.
 * @param part the main part
 * @param evenPages true when even pages have headers of their own
 */
export function findSections(part: Uint8Array, evenPages: boolean): WordSection[] {
  const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
  const sections: WordSection[] = [];
  for (let at = bytes.indexOf("sectPr"); at >= 0 && sections.length < MAX_SECTIONS; at = bytes.indexOf("sectPr", at)) {
    const before = bytes.toString("latin1", Math.max(at - MAX_PREFIX_BYTES, 0), at);
    const after = bytes.toString("latin1", at, at + "sectPr".length + 1);
    if (!/<(?:\w+:)?$/.test(before) || !/[\s/>]$/.test(after)) {
      at += "sectPr".length;
      continue;
    }
    // Up to the first end tag. With a change under review that is the change's end tag, but the references stand before
    // it.
    const text = bytes.toString("utf8", at, at + MAX_PROPERTIES_BYTES);
    const end = /^sectPr[^>]*\/>|<\/(?:\w+:)?sectPr\s*>/.exec(text);
    sections.push(readSection(text.slice(0, end?.index ?? 0), evenPages));
    at += end === null ? "sectPr".length : Buffer.byteLength(text.slice(0, end.index + end[0].length));
  }
  return sections;
}
