/** The text of Markdown's lines without its signs (CommonMark 0.31, chapter 6, as far as documents use it). */
import type { Run } from "../../layout/logical/logical-rows.ts";
import { linkOf } from "../office/relationships.ts";

/** Longer stretches between two signs are text with signs in it. */
const LONGEST = 2_000;

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

function entity(body: string): string | undefined {
  const [, hex, decimal] = /^#(?:x([\da-f]{1,6})|(\d{1,7}))$/i.exec(body) ?? [];
  if (hex === undefined && decimal === undefined) return ENTITIES[body];
  const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point < 0xe000)
    ? String.fromCodePoint(point)
    : undefined;
}

/** What begins here, tried in this order. Each looks no further than the next sign of its kind: no line is read over and over. */
const PATTERNS = [
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

/** Signs within each other: a link in bold in a list of links. */
const DEEPEST = 4;

/** Underscores within a word are part of it; so are stars that stand alone. */
const isWithinWord = (text: string, from: number, to: number): boolean =>
  /[\p{L}\p{N}]/u.test(text[from - 1] ?? "") || /[\p{L}\p{N}]/u.test(text[to] ?? "");

function add(runs: Run[], text: string, looks: Omit<Run, "text">): void {
  if (text === "") return;
  const last = runs.at(-1);
  if (last !== undefined && last.bold === looks.bold && last.link === looks.link) last.text += text;
  else runs.push({ ...looks, text });
}

function addMatch(
  runs: Run[],
  groups: Record<string, string | undefined>,
  looks: Omit<Run, "text">,
  depth: number,
): void {
  const { escaped, code, verbatim, address, label, target, named, bold, plain, struck } = groups;
  const inner = label ?? named ?? bold ?? plain ?? struck;
  if (inner !== undefined) {
    const link = linkOf(target);
    const more = { ...looks, ...(bold === undefined ? {} : { bold: true }), ...(link === undefined ? {} : { link }) };
    parse(runs, inner, more, depth + 1);
  } else if (address !== undefined) {
    const link = linkOf(address);
    add(runs, address.replace(/^mailto:/i, ""), { ...looks, ...(link === undefined ? {} : { link }) });
  } else add(runs, escaped ?? code ?? verbatim ?? entity(groups.entity ?? "") ?? "", looks);
}

const SIGN = /[\\`<![*_~&]/g;

function parse(runs: Run[], text: string, looks: Omit<Run, "text">, depth: number): void {
  let start = 0;
  for (let at = nextSign(text, 0); at >= 0; at = nextSign(text, at)) {
    const match = depth > DEEPEST || text.length - at < 2 ? undefined : matchAt(text, at);
    if (match === undefined) {
      at += 1;
      continue;
    }
    add(runs, text.slice(start, at), looks);
    addMatch(runs, match.groups ?? {}, looks, depth);
    start = at + match[0].length;
    at = start;
  }
  add(runs, text.slice(start), looks);
}

function nextSign(text: string, from: number): number {
  SIGN.lastIndex = from;
  return SIGN.exec(text)?.index ?? -1;
}

function matchAt(text: string, at: number): RegExpExecArray | undefined {
  for (const pattern of PATTERNS) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) continue;
    if (match.groups?.entity !== undefined && entity(match.groups.entity) === undefined) continue;
    if (text[at] === "_" && isWithinWord(text, at, at + match[0].length)) continue;
    return match;
  }
  return undefined;
}

/** A line's runs: emphasis, code, links, pictures' texts and entities without their signs. */
export function inlineRuns(text: string): Run[] {
  const runs: Run[] = [];
  // What is longer than any paragraph is data: it stays as it stands.
  if (text.length > 50 * LONGEST) return [{ text }];
  parse(runs, text, {}, 0);
  return runs;
}
