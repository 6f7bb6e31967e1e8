/** Facts that the front page of a report, paper or letter shows by its arrangement: title, authors; and who signed. */

import type { TextBlock } from "../../../ports/layout.ts";
import { blockLines } from "../../layout/page-words.ts";
import type { Segment, Token } from "../../structure/view/tokens.ts";
import { scanDates } from "../../values/dates.ts";
import { labelKey } from "../../values/label-words.ts";
import { hasLegalForm, isStreet, isTitle, placeIn, salutationLength } from "../../values/party-names.ts";
import { foldText } from "../../values/text-folding.ts";
import { languageFile, wordsOf } from "../../values/vocabulary/languages.ts";
import { DOCUMENT_LABELS } from "../../values/vocabulary/vocabulary.ts";
import { anyFolded } from "../../values/vocabulary/word-patterns.ts";
import type { DocumentContext } from "./document-context.ts";
import type { Finding } from "./findings.ts";
import { proseIn } from "./running-prose.ts";

/** Titles stand in this top part of the first page. */
const TITLE_AREA_SHARE = 0.5;
const MAX_TITLE_LINES = 5;
const MAX_TITLE_CHARS = 220;
/** Type of one title may differ by this much, and is larger than that of the text by that much. */
const SAME_SIZE_SHARE = 0.06;
const MIN_TITLE_SIZE_RATIO = 1.2;
const MAX_LINE_GAP_EM = 2.2;
const TITLE_CONFIDENCE = 0.8;
const LARGE_TITLE_CONFIDENCE = 0.9;

const STOP_WORDS = new Set(wordsOf(({ grammar }) => grammar.stopWords));

/** Lines as one text, with the words that a line's end cuts. */
const textOf = (lines: readonly Segment[]): string =>
  lines
    .map(({ text }) => text)
    .join("\n")
    .replace(/(?<=\p{Ll})[-\u00ad]\n(?=\p{Ll})/gu, "")
    .replaceAll("\n", " ");
const sizeOf = ({ tokens }: Segment): number => tokens[0]?.em ?? 0;

/** Type size of most words on the first page. */
function textSize(segments: readonly Segment[]): number {
  const words = new Map<number, number>();
  for (const { tokens } of segments)
    for (const { em } of tokens) words.set(Math.round(em * 100), (words.get(Math.round(em * 100)) ?? 0) + 1);
  return ([...words].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0) / 100;
}

/** The first heading of the reader on the first page, for documents whose type has one size. */
function headingOf(context: DocumentContext, segments: readonly Segment[]): Segment[] {
  const { blocks } = context.firstPage;
  let index = 0;
  for (const block of blocks) {
    const count = blockLines(block).reduce((sum, { words }) => sum + words.length, 0);
    const isHeading = block.kind === "heading" && ((block as TextBlock).level ?? 1) === 1;
    if (isHeading && block.box.top < (context.view.pages[0]?.height ?? 0) * TITLE_AREA_SHARE)
      return segments.filter(({ tokens: [first] }) => first && first.index >= index && first.index < index + count);
    index += count;
  }
  return [];
}

/** Share of a page's words in regular type, beside which a bold line stands out; and of its height, for such a title. */
const MIN_REGULAR_SHARE = 0.6;
const BOLD_TITLE_AREA_SHARE = 0.3;
const MAX_OFF_CENTRE_INCHES = 0.6;

/** Steps between lines of one title, in heights of its type: more space parts a subtitle. */
const MAX_BOLD_STEP_EM = 1.5;

/** The bold first lines of a page whose type has one size: in the middle, or one where the text begins. */
function boldLines(worded: readonly Segment[], context: DocumentContext): Segment[] {
  const [page] = context.view.pages;
  const segments = context.view.segments.filter((segment) => segment.page === 1);
  const tokens = segments.flatMap((segment) => segment.tokens);
  const isBold = (segment: Segment | undefined): boolean => segment?.tokens.every(({ bold }) => bold) === true;
  const [first] = worded;
  if (page === undefined || first === undefined || first.box.top >= page.height * BOLD_TITLE_AREA_SHARE) return [];
  const isCentred = ({ box }: Segment): boolean =>
    Math.abs((box.left + box.right - page.width) / 2) < MAX_OFF_CENTRE_INCHES;
  const left = Math.min(...segments.filter((one) => proseIn(segments).has(one)).map(({ box }) => box.left));
  const isAtMargin = Math.abs(first.box.left - left) < MAX_OFF_CENTRE_INCHES;
  const isRegular = tokens.filter(({ bold }) => !bold).length >= MIN_REGULAR_SHARE * tokens.length;
  const ends = worded.findIndex(
    (segment, at) => at > 0 && segment.box.top - (worded[at - 1]?.box.top ?? 0) > MAX_BOLD_STEP_EM * sizeOf(segment),
  );
  const lines = worded.slice(0, ends === -1 ? undefined : ends);
  if (!isRegular || lines.length > MAX_TITLE_LINES || !lines.every(isBold)) return [];
  const next = worded[1];
  const goesOn = next === undefined || Math.abs(next.box.left - first.box.left) < MAX_OFF_CENTRE_INCHES;
  const isAlone = lines.length === 1 && !isBold(next) && goesOn;
  return lines.every(isCentred) || (isAlone && isAtMargin) ? lines : [];
}

/** The lines of the title. */
function titleLines(context: DocumentContext): { lines: Segment[]; confidence: number } {
  const [page] = context.view.pages;
  const segments = context.view.segments.filter((segment) => segment.page === 1);
  const high = segments.filter(({ box }) => box.top < (page?.height ?? 0) * TITLE_AREA_SHARE);
  const worded = high.filter(({ text }) => /\p{L}{2,}/u.test(text) && !/^\S*(?:@|www\.|https?:)\S*$/.test(text));
  const largest = worded.reduce((most, segment) => Math.max(most, sizeOf(segment)), 0);
  if (largest < MIN_TITLE_SIZE_RATIO * textSize(segments)) {
    const bold = boldLines(worded, context);
    return { lines: bold.length > 0 ? bold : headingOf(context, segments), confidence: TITLE_CONFIDENCE };
  }
  const [first] = worded.filter((segment) => sizeOf(segment) >= largest * (1 - SAME_SIZE_SHARE));
  const lines = first === undefined ? [] : [first];
  for (const segment of worded.filter(({ row }) => row > (first?.row ?? 0))) {
    const above = lines.at(-1);
    if (above === undefined || lines.length >= MAX_TITLE_LINES) break;
    if (Math.abs(sizeOf(segment) - largest) > SAME_SIZE_SHARE * largest) break;
    if (segment.box.top - above.box.top > MAX_LINE_GAP_EM * largest || tellsDate(segment, above, context)) break;
    lines.push(segment);
  }
  return { lines, confidence: LARGE_TITLE_CONFIDENCE };
}

/** A line below a title that ends with a date tells when it is of, unless the title goes on: `Minutes of`. */
function tellsDate({ text }: Segment, above: Segment, { conventions }: DocumentContext): boolean {
  const isOpen = STOP_WORDS.has(above.text.split(" ").at(-1)?.toLowerCase() ?? "");
  return !isOpen && scanDates(text, conventions.order).some(({ end }) => end >= text.length - 1);
}

/** Letters of a title of one word; shorter ones are names. */
const MIN_LONE_TITLE_LETTERS = 8;

/** A single word is a title where it stands in the middle: `Garagenmietvertrag`. */
function isLoneTitle([first, ...others]: readonly Segment[], value: string, { view }: DocumentContext): boolean {
  const width = view.pages[0]?.width ?? 0;
  const isCentred = first && Math.abs((first.box.left + first.box.right - width) / 2) < MAX_OFF_CENTRE_INCHES;
  return (
    isCentred === true && others.length === 0 && new RegExp(`^\\p{L}{${MIN_LONE_TITLE_LETTERS},}$`, "u").test(value)
  );
}

/** Sentences above a line, or another text beside it: it is the heading of a part, or the name in a letterhead. */
const isBelowOrBeside = ({ row, page }: Segment, { view }: DocumentContext): boolean =>
  (view.rows[row]?.segments.length ?? 0) > 1 ||
  [...proseIn(view.segments).keys()].some((line) => line.page === page && line.row < row);

/** The title on the front page. @returns null for a form's or a bill's: `INVOICE` is no title anybody asks for */
export function titleOf(context: DocumentContext): Finding | null {
  if (context.isBill()) return null;
  const { lines, confidence } = titleLines(context);
  const [first] = lines;
  if (first === undefined || isBelowOrBeside(first, context)) return null;
  const value = textOf(lines)
    .replace(/\s*[*†‡§¶∗]+$/u, "")
    .trim();
  const words = value.match(/\p{L}{2,}/gu)?.length ?? 0;
  if (words === 0 || value.length > MAX_TITLE_CHARS || /[:;,]$|_{3}|\.{4}/.test(value)) return null;
  // A single word, a number or a box before it: rather the heading of a part.
  if (words < 2 && !isLoneTitle(lines, value, context)) return null;
  if (/^\W*\d|^[^\p{L}"“„«(]/u.test(value) || DOCUMENT_LABELS.meaningsOf(labelKey(value)).length > 0) return null;
  return { value, tokens: lines.flatMap(({ tokens }) => tokens), confidence };
}

const INSTITUTION = new RegExp(
  `(?<!\\p{L})(?:${anyFolded(wordsOf(({ parties }) => [...(parties.institutions ?? []), ...(parties.bodies ?? [])]))})(?!\\p{L})`,
  "u",
);
/** Rows below a title in which authors stand. */
const MAX_ROWS_TO_AUTHORS = 10;
const MAX_AUTHORS = 40;
/** Lines of running prose on the first page of a paper; forms and brochures have names below their titles too. */
const MIN_PROSE_LINES = 6;
const AUTHOR_CONFIDENCE = 0.8;
const BYLINE = new RegExp(`^(?:${anyFolded(wordsOf(({ parties }) => parties.bylines))})\\s+`, "iu");

/** Marks of footnotes behind an author's name. */
const unmarked = (text: string): string =>
  text
    .replace(/[\d*†‡§¶∗#,\s]+$/u, "")
    .replace(/^[\d*†‡§\s]+/u, "")
    .trim();

const { articles, of, conjunctions } = languageFile("en").grammar;
/** No particles of a name: `Assistant to the Director`. Those of other languages are in names. */
const ENGLISH_PARTICLES = new Set([...articles, ...(of ?? []), ...(conjunctions ?? [])]);

/** Two to four capitalised words, particles and initials among them, are a person's name. */
export function isPerson(text: string): boolean {
  const words = text.split(/\s+/);
  if (words.length < 2 || words.length > 5 || /\d|@|:/.test(text)) return false;
  if (INSTITUTION.test(foldText(text)) || hasLegalForm(text) || isTitle(text) || isStreet(text)) return false;
  // `To the Editors` is nobody.
  if (placeIn(text) !== null || STOP_WORDS.has(words[0]?.toLowerCase() ?? "")) return false;
  const named = words.filter((word) => /^\p{Lu}(?:\p{Ll}|\.|['’]\p{Lu}|-)/u.test(word) || /^\p{Lu}\.?$/u.test(word));
  return (
    named.length >= 2 &&
    !words.some((word) => ENGLISH_PARTICLES.has(word)) &&
    words.every((word) => named.includes(word) || /^\p{Ll}{1,3}$/u.test(word) || /^\p{Lu}{2,}$/u.test(word))
  );
}

interface Name {
  text: string;
  tokens: Token[];
}

/** The names on a line: parted by commas, `and`, or gaps. @returns null where a part is no name */
function namesOn(segments: readonly Segment[]): Name[] | null {
  const names: Name[] = [];
  for (const segment of segments) {
    const from = BYLINE.exec(segment.text)?.[0].length ?? 0;
    let at = from;
    for (const part of segment.text.slice(from).split(/(,|;|\s(?:and|&|und|et|y|e|en)\s)/u)) {
      const name = unmarked(part);
      if (/\p{L}{2,}/u.test(name) && !/^\s?(?:and|und|et|en)\s?$/.test(part)) {
        if (!isPerson(name)) return null;
        const start = at + part.indexOf(name);
        const tokens = segment.tokens.filter((token, index) => {
          const begin = segment.starts[index] ?? 0;
          return begin < start + name.length && start < begin + token.text.length;
        });
        names.push({ text: name, tokens });
      }
      at += part.length;
    }
  }
  return names.length > 0 ? names : null;
}

/** A line of what stands between the authors of a paper: institution, place, address of mail. */
const isAffiliation = ({ text }: Segment): boolean =>
  INSTITUTION.test(foldText(text)) || placeIn(text) !== null || text.includes("@");

/** The authors below the title of a paper or report. */
export function authorsOf(context: DocumentContext): Name[] {
  if (context.isBill()) return [];
  const last = titleLines(context).lines.at(-1);
  const prose = proseIn(context.view.segments);
  const isPaper = [...prose.keys()].filter(({ page }) => page === 1).length >= MIN_PROSE_LINES;
  if (last === undefined || !isPaper) return [];
  const authors: Name[] = [];
  for (const { segments, page } of context.view.rows.slice(last.row + 1, last.row + 1 + MAX_ROWS_TO_AUTHORS)) {
    if (page > 1 || segments.some((segment) => prose.has(segment))) break;
    const names = namesOn(segments);
    if (names === null && authors.length > 0 && !segments.some(isAffiliation)) break;
    authors.push(...(names ?? []));
  }
  // Institutions and places stand below each of their authors; an author stands there once.
  const counts = Map.groupBy(authors, ({ text }) => foldText(text));
  return authors.filter(({ text }) => counts.get(foldText(text))?.length === 1).slice(0, MAX_AUTHORS);
}

/** The line that closes a letter, folded. */
export const CLOSING = new RegExp(`^(?:${anyFolded(wordsOf(({ documents }) => documents.closings))})[,.]?$`, "u");
const MAX_ROWS_TO_SIGNATURE = 8;

/** The person whose name stands below the closing words of a letter. */
export function signatoryOf(context: DocumentContext): Finding | null {
  const { rows, segments } = context.view;
  const closing = segments.find(({ text }) => CLOSING.test(foldText(text).trim()));
  if (closing === undefined) return null;
  for (const row of rows.slice(closing.row + 1, closing.row + 1 + MAX_ROWS_TO_SIGNATURE)) {
    for (const { text, tokens, page } of row.segments) {
      const name = text.slice(salutationLength(text));
      if (page === closing.page && isPerson(name))
        return { value: name, tokens: tokens.slice(-name.split(/\s+/).length), confidence: AUTHOR_CONFIDENCE };
    }
  }
  return null;
}

/** The value of a field that the front page's arrangement shows. */
export function frontPageFact(concept: string, context: DocumentContext): Finding | null {
  if (concept === "title") return titleOf(context);
  if (concept === "signatory") return signatoryOf(context);
  if (concept !== "author") return null;
  const authors = authorsOf(context);
  return authors.length === 0
    ? null
    : {
        value: authors.map(({ text }) => text).join(", "),
        tokens: authors.flatMap(({ tokens }) => tokens),
        confidence: AUTHOR_CONFIDENCE,
      };
}
