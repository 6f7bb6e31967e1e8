/** The text of Markdown's lines without markup (CommonMark 0.31, chapter 6, as far as documents use it). */
import type { TextRun } from "../../layout/logical/logical-rows.ts";
import { safeLink } from "../office/relationships.ts";

/** Longer lines are data and are not parsed. */
const MAX_LINE_CHARACTERS = 100_000;

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  copy: "©",
  reg: "®",
  euro: "€",
  ndash: "–",
  mdash: "—",
  hellip: "…",
};

function decodeEntity(body: string): string | undefined {
  const [, hex, decimal] = /^#(?:x([\da-f]{1,6})|(\d{1,7}))$/i.exec(body) ?? [];
  if (hex === undefined && decimal === undefined) return ENTITIES[body];
  const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point < 0xe000)
    ? String.fromCodePoint(point)
    : undefined;
}

/**
 * Inline markup, tried in this order. Each pattern stops at the next character of its kind, so that no line is read
 * over and over.
 */
const INLINE_PATTERNS = [
  /\\(?<escaped>[!-/:-@[-`{-~])/y,
  /`(?!`)(?<code>[^`]{1,2000})`(?!`)/y,
  /``(?!`)(?<verbatim>(?:(?!``).){1,2000})``(?!`)/y,
  /<(?<address>(?:https?:\/\/|mailto:)[^\s<>]{1,2000})>/y,
  /<!--(?:(?!-->|<!--).){0,2000}-->/y,
  /<\/?(?:a|b|i|u|em|strong|br|hr|p|div|span|sup|sub|code|img|details|summary|table|thead|tbody|tr|td|th)(?:\s[^<>]{0,500})?\/?>/iy,
  /!?\[(?<label>(?:[^[\]\\]|\\.|\[[^[\]]{0,500}\]){0,1000})\]\((?<target>[^()\s]{0,1000}(?:\([^()\s]{0,500}\)[^()\s]{0,500})?)(?:\s+["'(][^"')]{0,500}["')])?\)/y,
  /!?\[(?<named>[^[\]]{1,500})\]\[[^[\]]{0,500}\]/y,
  /(?<strong>\*\*|__)(?=\S)(?<bold>(?:(?!\k<strong>).){1,2000}?\S?)\k<strong>/y,
  /(?<emphasis>[*_])(?=[^\s*_])(?<plain>(?:(?!\k<emphasis>).){1,2000}?)\k<emphasis>/y,
  /~~(?<struck>[^~]{1,2000})~~/y,
  /&(?<entity>#?\w{1,10});/y,
];

/** Nested markup: a link in bold in a list of links. */
const MAX_NESTING_DEPTH = 4;

/** Underscores within a word are part of it. */
const isWithinWord = (text: string, from: number, to: number): boolean =>
  /[\p{L}\p{N}]/u.test(text[from - 1] ?? "") || /[\p{L}\p{N}]/u.test(text[to] ?? "");

function addRun(runs: TextRun[], text: string, style: Omit<TextRun, "text">): void {
  if (text === "") return;
  const last = runs.at(-1);
  if (last !== undefined && last.bold === style.bold && last.link === style.link) last.text += text;
  else runs.push({ ...style, text });
}

function addMatch(
  runs: TextRun[],
  groups: Record<string, string | undefined>,
  style: Omit<TextRun, "text">,
  depth: number,
): void {
  const { escaped, code, verbatim, address, label, target, named, bold, plain, struck } = groups;
  const inner = label ?? named ?? bold ?? plain ?? struck;
  if (inner !== undefined) {
    const link = safeLink(target);
    const innerStyle = {
      ...style,
      ...(bold === undefined ? {} : { bold: true }),
      ...(link === undefined ? {} : { link }),
    };
    parseInline(runs, inner, innerStyle, depth + 1);
  } else if (address !== undefined) {
    const link = safeLink(address);
    addRun(runs, address.replace(/^mailto:/i, ""), { ...style, ...(link === undefined ? {} : { link }) });
  } else addRun(runs, escaped ?? code ?? verbatim ?? decodeEntity(groups.entity ?? "") ?? "", style);
}

const MARKUP_CHARACTER = /[\\`<![*_~&]/g;

function parseInline(runs: TextRun[], text: string, style: Omit<TextRun, "text">, depth: number): void {
  let start = 0;
  for (let at = nextMarkup(text, 0); at >= 0; at = nextMarkup(text, at)) {
    const match = depth > MAX_NESTING_DEPTH || text.length - at < 2 ? undefined : matchAt(text, at);
    if (match === undefined) {
      at += 1;
      continue;
    }
    addRun(runs, text.slice(start, at), style);
    addMatch(runs, match.groups ?? {}, style, depth);
    start = at + match[0].length;
    at = start;
  }
  addRun(runs, text.slice(start), style);
}

function nextMarkup(text: string, from: number): number {
  MARKUP_CHARACTER.lastIndex = from;
  return MARKUP_CHARACTER.exec(text)?.index ?? -1;
}

function matchAt(text: string, at: number): RegExpExecArray | undefined {
  for (const pattern of INLINE_PATTERNS) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) continue;
    if (match.groups?.entity !== undefined && decodeEntity(match.groups.entity) === undefined) continue;
    if (text[at] === "_" && isWithinWord(text, at, at + match[0].length)) continue;
    return match;
  }
  return undefined;
}

/** The runs of a line: emphasis, code, links, alternative texts and entities without markup. */
export function inlineRuns(text: string): TextRun[] {
  const runs: TextRun[] = [];
  if (text.length > MAX_LINE_CHARACTERS) return [{ text }];
  parseInline(runs, text, {}, 0);
  return runs;
}
