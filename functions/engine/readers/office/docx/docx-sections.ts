/**
 * Sections of a Word document (ECMA-376 part 1, 17.6). Their properties stand at their ends, and what they begin with
 * must be known before: a look over the bytes of the main part finds them.
 */

type EdgeKind = "header" | "footer";

export interface EdgeReference {
  kind: EdgeKind;
  /** Relationship. */
  id: string;
}

export interface Section {
  /** Begins on a page of its own. */
  breaksPage: boolean;
  /** Headers and footers that are shown and that the section before had not. */
  edges: EdgeReference[];
}

/** Longer properties are none. */
const LONGEST_PROPERTIES = 16_384;
const MOST_SECTIONS = 10_000;
/** Bytes before a name: `<` and a prefix. */
const LONGEST_PREFIX = 12;

const attribute = (tag: string, name: string): string | undefined =>
  new RegExp(`\\s(?:\\w+:)?${name}\\s*=\\s*["']([^"']*)["']`).exec(tag)?.[1];

function readSection(text: string, evenPages: boolean): Section {
  const titlePage = /<(?:\w+:)?titlePg\b([^>]*)>/.exec(text)?.[1];
  const hasTitlePage = titlePage !== undefined && !/val\s*=\s*["'](?:0|false|off)["']/.test(titlePage);
  const edges: EdgeReference[] = [];
  for (const [tag, kind] of text.matchAll(/<(?:\w+:)?(header|footer)Reference\b[^>]*>/g)) {
    const id = attribute(tag, "id");
    const type = attribute(tag, "type") ?? "default";
    const isShown = type === "default" || (type === "first" && hasTitlePage) || (type === "even" && evenPages);
    if (id !== undefined && isShown) edges.push({ kind: kind as EdgeKind, id });
  }
  const type = attribute(/<(?:\w+:)?type\b[^>]*>/.exec(text)?.[0] ?? "", "val");
  return { breaksPage: type !== "continuous" && type !== "nextColumn", edges };
}

/**
 * The sections in their order; none for a part that is not in UTF-8.
 * @param part the main part
 * @param evenPages whether even pages have headers of their own
 */
export function findSections(part: Uint8Array, evenPages: boolean): Section[] {
  const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
  const sections: Section[] = [];
  for (let at = bytes.indexOf("sectPr"); at >= 0 && sections.length < MOST_SECTIONS; at = bytes.indexOf("sectPr", at)) {
    const before = bytes.toString("latin1", Math.max(at - LONGEST_PREFIX, 0), at);
    const after = bytes.toString("latin1", at, at + "sectPr".length + 1);
    if (!/<(?:\w+:)?$/.test(before) || !/[\s/>]$/.test(after)) {
      at += "sectPr".length;
      continue;
    }
    // Up to the first end tag: that of a change under review, if there is one, but the references stand before that.
    const text = bytes.toString("utf8", at, at + LONGEST_PROPERTIES);
    const end = /^sectPr[^>]*\/>|<\/(?:\w+:)?sectPr\s*>/.exec(text);
    sections.push(readSection(text.slice(0, end?.index ?? 0), evenPages));
    at += end === null ? "sectPr".length : Buffer.byteLength(text.slice(0, end.index + end[0].length));
  }
  return sections;
}
