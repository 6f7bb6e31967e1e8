/** A small part of Markdown: paragraphs, lists, bold, italic and links. All else is text as it stands. */
import { plainText } from "../field-values.ts";

export interface Span {
  text: string;
  bold: boolean;
  italic: boolean;
  link: string | undefined;
}

export interface Block {
  kind: "paragraph" | "bullet" | "number";
  /** Depth in lists around it, from 0. */
  level: number;
  /** Lists with numbers count on within one list; others begin anew. */
  list: number;
  spans: Span[];
}

/** Levels that lists of Word have. */
const MAX_LEVELS = 9;
/** Spaces that a list is indented by under another. */
const LEVEL_SPACES = 2;

interface Style {
  bold: boolean;
  italic: boolean;
  link: string | undefined;
}

/** Longer labels and addresses are text, so that a text of brackets alone stays linear. */
const LINK = /\[([^\]\n]{1,500})\]\([ \t]{0,9}<?([^\s()<>]{1,2048})>?[ \t]{0,9}\)/uy;
const ESCAPED = /\\([\\`*_{}[\]()#+\-.!|>~])/uy;
const OPENING = /(\*{1,3}|_{1,3})(?=\S)/uy;

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

const isWordSign = (sign: string | undefined): boolean => sign !== undefined && /[\p{L}\p{N}]/u.test(sign);

/** End of emphasis that begins before `from`: the same signs, right after a word; undefined for none. */
function endOfEmphasis(text: string, signs: string, from: number): number | undefined {
  for (let at = text.indexOf(signs, from + 1); at >= 0; at = text.indexOf(signs, at + 1)) {
    const after = at + signs.length;
    const isLonger = text.charAt(after) === signs.charAt(0);
    const insideWord = signs.startsWith("_") && isWordSign(text.charAt(after));
    if (!/[\s\\]/u.test(text.charAt(at - 1)) && !isLonger && !insideWord) return at;
  }
  return undefined;
}

/** Depth of emphasis and links inside each other; signs beyond it are text. */
const MAX_DEPTH = 6;

/** Reads the spans of a paragraph. */
export function readSpans(
  text: string,
  style: Style = { bold: false, italic: false, link: undefined },
  depth = 0,
): Span[] {
  const spans: Span[] = [];
  let plain = "";
  const close = (): void => {
    if (plain !== "") spans.push({ ...style, text: plain });
    plain = "";
  };
  const open = (inner: string, more: Partial<Style>): void => {
    close();
    spans.push(...readSpans(inner, { ...style, ...more }, depth + 1));
  };
  // Signs that have no end once have none later either: a text of signs alone stays linear.
  const unended = new Set<string>();
  for (let at = 0; at < text.length; ) {
    const escaped = matchAt(ESCAPED, text, at);
    const link = style.link === undefined && depth < MAX_DEPTH ? matchAt(LINK, text, at) : null;
    const opening = depth < MAX_DEPTH ? matchAt(OPENING, text, at) : null;
    const signs = opening?.[1] ?? "";
    const insideWord = signs.startsWith("_") && isWordSign(text.charAt(at - 1));
    const end =
      signs === "" || insideWord || unended.has(signs) ? undefined : endOfEmphasis(text, signs, at + signs.length);
    if (signs !== "" && end === undefined && !insideWord) unended.add(signs);
    if (escaped !== null) {
      plain += escaped[1] ?? "";
      at += escaped[0].length;
    } else if (link !== null) {
      open(link[1] ?? "", { link: link[2] });
      at += link[0].length;
    } else if (end !== undefined) {
      const strength = signs.length;
      open(text.slice(at + strength, end), {
        bold: style.bold || strength > 1,
        italic: style.italic || strength !== 2,
      });
      at = end + strength;
    } else {
      const length = Math.max(1, signs.length);
      plain += text.slice(at, at + length);
      at += length;
    }
  }
  close();
  return spans;
}

const ITEM = /^([ \t]*)(?:([-*+])|(\d{1,9})[.)])[ \t]+(.*)$/u;

/** Reads the blocks of a text. A single line break stays one; an empty line ends a paragraph. */
export function readMarkdown(text: string): Block[] {
  const blocks: { block: Block; lines: string[] }[] = [];
  let list = 0;
  let isOpen = false;
  for (const line of plainText(text).split("\n")) {
    const item = ITEM.exec(line);
    const last = blocks.at(-1);
    if (line.trim() === "") isOpen = false;
    else if (item !== null) {
      const indent = (item[1] ?? "").replaceAll("\t", "    ").length;
      const kind = item[2] === undefined ? "number" : "bullet";
      const isInList = last !== undefined && last.block.kind !== "paragraph";
      const level = isInList ? Math.min(Math.floor(indent / LEVEL_SPACES), last.block.level + 1, MAX_LEVELS - 1) : 0;
      if (!isInList || (last.block.level === level && last.block.kind !== kind)) list += 1;
      blocks.push({
        block: { kind, level, list, spans: [] },
        lines: [item[4] ?? ""],
      });
      isOpen = true;
    } else if (isOpen && last !== undefined) last.lines.push(line.trim());
    else {
      blocks.push({ block: { kind: "paragraph", level: 0, list: 0, spans: [] }, lines: [line.trim()] });
      isOpen = true;
    }
  }
  return blocks.map(({ block, lines }) => ({ ...block, spans: readSpans(lines.join("\n")) }));
}
