/** Words as inline Markdown: links and bold words; rows that were wrapped at the page's width are joined. */
import type { Line, TableCell } from "../../../ports/layout.ts";
import { unionBox } from "../../layout/geometry.ts";
import { type BlockRow, endsEarly, groupRows, isProse, toRow } from "../../structure/block-rows.ts";
import { type JoinedWord, joinedWords } from "../../structure/layout-text.ts";
import { escapeInline, escapeStart, linkTarget } from "./markdown-escape.ts";

const COLUMN_SPACE = "   ";
/** Running text that ends further before the right edge, as a share of its width, ends on purpose. */
const MAX_RAGGED_SHARE = 0.25;

interface StyledRun {
  text: string;
  bold: boolean;
  link: string | undefined;
}

const wrap = ({ text, bold, link }: StyledRun): string => {
  const inner = bold ? `**${text}**` : text;
  return link === undefined ? inner : `[${inner}](${link})`;
};

/** Joins words of the same style and link into runs. @param emphasis mark bold words */
function toRuns(words: readonly JoinedWord[], emphasis: boolean): StyledRun[] {
  const runs: (StyledRun & { before: string })[] = [];
  for (const { text, before, first } of words) {
    const run = runs.at(-1);
    const link = first.link === undefined ? undefined : linkTarget(first.link);
    const bold = emphasis && first.bold === true;
    const escaped = escapeInline(text);
    const space = run?.before === "column" ? COLUMN_SPACE : " ";
    if (run !== undefined && run.bold === bold && run.link === link && run.before !== "column") {
      run.text += ` ${escaped}`;
      run.before = before;
    } else {
      if (run !== undefined) runs.push({ text: space, bold: false, link: undefined, before: "word" });
      runs.push({ text: escaped, bold, link, before });
    }
  }
  return runs;
}

/** One line of Markdown. */
const inlineText = (words: readonly JoinedWord[], emphasis: boolean): string =>
  toRuns(words, emphasis).map(wrap).join("");

/** A text has bold and regular words. */
function hasMixedWeights(words: readonly JoinedWord[]): boolean {
  const significant = words.filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
  return significant.some(({ first }) => first.bold === true) && significant.some(({ first }) => first.bold !== true);
}

/** Most rows before the last are running text, which fills its lines. */
function isRunningText(rows: readonly BlockRow[]): boolean {
  const filled = rows.length > 1 ? rows.slice(0, -1) : rows;
  return 2 * filled.filter(isProse).length >= filled.length;
}

/** Rows after which a line of the text ends: those with parts side by side, and those that end on purpose. */
function rowBreaks(lines: readonly Line[]): Set<Line> {
  const rows: BlockRow[] = groupRows(lines).map(toRow);
  if (rows.length < 2) return new Set();
  const { left, right } = unionBox(rows.map((row) => row.box));
  const running = isRunningText(rows);
  const breaks = new Set<Line>();
  for (const [at, row] of rows.entries()) {
    const next = rows[at + 1];
    const last = row.lines.at(-1);
    if (next === undefined || last === undefined || last.hyphenated) continue;
    const apart = row.lines.length > 1 || next.lines.length > 1;
    const early = endsEarly(row, next, right) && right - row.box.right > MAX_RAGGED_SHARE * (right - left);
    if (apart || !running || early) breaks.add(last);
  }
  return breaks;
}

/** The lines of a text in Markdown, without line breaks that only the page's width made. */
function markdownLines(lines: readonly Line[]): JoinedWord[][] {
  const breaks = rowBreaks(lines);
  const texts: Line[][] = [[]];
  for (const line of lines) {
    texts.at(-1)?.push(line);
    if (breaks.has(line)) texts.push([]);
  }
  return texts.filter((one) => one.length > 0).map((one) => joinedWords(one, true));
}

/** Paragraph text; line starts that Markdown would take for something else are escaped. */
export function paragraphText(lines: readonly Line[]): string {
  const texts = markdownLines(lines);
  const mixed = hasMixedWeights(texts.flat());
  return texts.map((words) => escapeStart(inlineText(words, mixed))).join("\n");
}

/** Text on one line, of a heading or a caption. */
export const oneLineText = (lines: readonly Line[]): string => inlineText(joinedWords(lines, true), false);

/** The lines of a table's cell. */
export const cellText = ({ lines, text }: Pick<TableCell, "lines" | "text">): string =>
  text === undefined ? wordsOfCell(lines) : text.split("\n").map(escapeInline).join("<br>");

const wordsOfCell = (lines: readonly Line[]): string =>
  groupRows(lines)
    .reduce<Line[][]>((texts, row, at, rows) => {
      const before = rows[at - 1]?.at(-1);
      if (before?.hyphenated === true) texts.at(-1)?.push(...row);
      else texts.push([...row]);
      return texts;
    }, [])
    .map((one) => inlineText(joinedWords(one, true), false))
    .join("<br>");

/** A list item's text without its marker. */
export function itemText(lines: readonly Line[], marker: string): string {
  const words = joinedWords(lines, true);
  const rest: JoinedWord[] = [];
  let mark = marker.replaceAll(/\s/g, "");
  for (const word of words) {
    if (mark === "") {
      rest.push(word);
    } else if (word.text.length <= mark.length) {
      mark = mark.slice(word.text.length);
    } else {
      rest.push({ ...word, text: word.text.slice(mark.length) });
      mark = "";
    }
  }
  return escapeStart(inlineText(rest, hasMixedWeights(rest)));
}
