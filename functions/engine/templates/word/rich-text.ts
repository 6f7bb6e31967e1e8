/** Rich text from Markdown as paragraphs and runs. */
import { type Block, readMarkdown, type Span } from "./markdown.ts";
import { runMarkup, withProperties } from "./run-markup.ts";
import { escapeXml } from "./word-xml.ts";

export interface RichTextParts {
  /** @returns id of a relationship to an address; undefined for one that no link may have */
  link(address: string): string | undefined;
  numberOf(kind: "bullet" | "number"): number;
}

const R_NAMESPACE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const BOLD = ["<w:b/>", "<w:bCs/>"];
const ITALIC = ["<w:i/>", "<w:iCs/>"];
/** Looks of a link, as Word's own style has them; a template may not have that style. */
const LINK = ['<w:color w:val="0563C1"/>', '<w:u w:val="single"/>'];

function spanMarkup({ text, bold, italic, link }: Span, look: string, parts: RichTextParts): string {
  const id = link === undefined ? undefined : parts.link(link);
  const set = [...(bold ? BOLD : []), ...(italic ? ITALIC : [])];
  const own = set.length === 0 ? look : withProperties(look, set);
  if (id === undefined) return runMarkup(text, own);
  const linked = runMarkup(text, withLinkLook(own));
  return `<w:hyperlink r:id="${escapeXml(id)}" xmlns:r="${R_NAMESPACE}" w:history="1">${linked}</w:hyperlink>`;
}

/** Properties after which colour and underline come in the schema. */
const BEFORE_COLOR =
  /^(?:<(w:(?:rStyle|rFonts|b|bCs|i|iCs|caps|smallCaps|strike|dstrike|outline|shadow|emboss|imprint|noProof|snapToGrid|vanish|webHidden))(?:\s[^>]*)?(?:\/>|>.*?<\/\1>))*/su;
const BETWEEN = /<(w:(?:color|u))(?:\s[^>]*)?(?:\/>|>.*?<\/\1>)/gsu;
/** Properties between colour and underline. */
const BEFORE_UNDERLINE = /^(?:<(w:(?:spacing|w|kern|position|sz|szCs|highlight))(?:\s[^>]*)?(?:\/>|>.*?<\/\1>))*/su;

function withLinkLook(look: string): string {
  const inside = look.replaceAll(/^<w:rPr[^>]*>|<\/w:rPr>$/gu, "").replaceAll(BETWEEN, "");
  const before = BEFORE_COLOR.exec(inside)?.[0] ?? "";
  const rest = inside.slice(before.length);
  const between = BEFORE_UNDERLINE.exec(rest)?.[0] ?? "";
  return `<w:rPr>${before}${LINK[0]}${between}${LINK[1]}${rest.slice(between.length)}</w:rPr>`;
}

const spansMarkup = (spans: readonly Span[], look: string, parts: RichTextParts): string =>
  spans.map((span) => spanMarkup(span, look, parts)).join("");

/** Properties of a paragraph with a list's number, in the order of the schema. */
function withNumber(properties: string, number: number, level: number): string {
  const own = `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${number}"/></w:numPr>`;
  const inside = properties
    .replaceAll(/^<w:pPr[^>]*>|<\/w:pPr>$/gu, "")
    .replaceAll(/<w:numPr(?:\s[^>]*)?(?:\/>|>.*?<\/w:numPr>)|<w:ind(?:\s[^>]*)?\/>/gsu, "");
  const before =
    /^(?:<(w:(?:pStyle|keepNext|keepLines|pageBreakBefore|framePr|widowControl))(?:\s[^>]*)?(?:\/>|>.*?<\/\1>))*/su.exec(
      inside,
    )?.[0] ?? "";
  return `<w:pPr>${before}${own}${inside.slice(before.length)}</w:pPr>`;
}

/** Numbers of the lists in one text. */
function numbersOf(parts: RichTextParts): (block: Block) => number {
  const known = new Map<string, number>();
  return ({ kind, list }) => {
    const key = `${kind} ${list}`;
    const number = known.get(key) ?? parts.numberOf(kind === "number" ? "number" : "bullet");
    known.set(key, number);
    return number;
  };
}

/** Paragraphs in the place of one. @param open its start tag @param properties its `w:pPr`, empty for none */
export function richParagraphs(
  text: string,
  { open, properties }: { open: string; properties: string },
  look: string,
  parts: RichTextParts,
): string {
  const blocks = readMarkdown(text);
  const numberOf = numbersOf(parts);
  if (blocks.length === 0) return `${open}${properties}</w:p>`;
  return blocks
    .map((block) => {
      const own = block.kind === "paragraph" ? properties : withNumber(properties, numberOf(block), block.level);
      return `${open}${own}${spansMarkup(block.spans, look, parts)}</w:p>`;
    })
    .join("");
}

const INDENT = "\u00a0\u00a0";

/** Runs inside a paragraph: blocks become lines, and items of lists begin with a sign. */
export function richRuns(text: string, look: string, parts: RichTextParts): string {
  const counts = new Map<string, number>();
  const lines = readMarkdown(text).map(({ kind, level, list, spans }): Span[] => {
    if (kind === "paragraph") return spans;
    const key = `${list} ${level}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    const sign = `${INDENT.repeat(level)}${kind === "bullet" ? "\u2022" : `${count}.`}\u00a0`;
    return [{ text: sign, bold: false, italic: false, link: undefined }, ...spans];
  });
  return lines.map((spans) => spansMarkup(spans, look, parts)).join("<w:r><w:br/></w:r>");
}
