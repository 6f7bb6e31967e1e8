/**
 * Names that carry the word that a property asks for: `Universidad Mayor de San Simón` for a `universidad`, `Amtsgericht
 * Dortmund` for a court. Only words of institutions name something so; the name that stands there most often is given.
 */
import type { Field } from "../../schema/schema-shape.ts";
import type { Token } from "../../structure/view/tokens.ts";
import { stem } from "../../values/stems.ts";
import { foldText, splitName } from "../../values/text-folding.ts";
import { wordsOf } from "../../values/vocabulary/languages.ts";
import { anyFolded } from "../../values/vocabulary/word-patterns.ts";
import type { DocumentContext } from "./document-context.ts";
import type { Finding } from "./findings.ts";
import { type ProseStream, streamOf } from "./prose-stream.ts";

const BODY = new RegExp(`^(?:${anyFolded(wordsOf(({ parties }) => parties.bodies))})$`, "u");
/** Words inside of a name: `University of the Arts`. */
const LINKS = new Set(
  wordsOf(({ grammar }) => [grammar.prepositions, grammar.articles, grammar.and].flatMap((words) => words ?? [])),
);
const STOP_WORDS = new Set(wordsOf(({ grammar }) => grammar.stopWords));

/** Languages whose names end with the noun; in others it comes first: `Tribunal de Commerce`. */
const HEAD_LAST = new Set(["en", "nl", "da", "sv", "no"]);

const MAX_NAME_WORDS = 12;
const MIN_NAME_LETTERS = 3;
const NAME_CONFIDENCE = 0.7;
const REPEATED_CONFIDENCE = 0.85;

const bare = (text: string): string => foldText(text).replace(/^\P{L}+|\P{L}+$/gu, "");
const isCapital = ({ text }: Token): boolean => /^["“„«(]?\p{Lu}/u.test(text);
const endsPart = ({ text }: Token): boolean => /[,;:.!?)"”»]$/u.test(text);

const isLink = ({ text }: Token): boolean => LINKS.has(text);

/** Two words of one line, or of a sentence that goes on in its block: a line of a letterhead ends with its name. */
function goOn(before: Token | undefined, after: Token | undefined): boolean {
  if (before === undefined || after === undefined || before.block !== after.block || endsPart(before)) return false;
  if (Math.abs(before.box.top - after.box.top) < before.em / 2) return after.box.left - before.box.right < before.em;
  return before.page === after.page && (isLink(before) || isLink(after));
}

/** The end of the name that begins before a word: capitals, and small words before another capital. */
function endOf(tokens: readonly Token[], at: number): number {
  let end = at + 1;
  for (let next = end; next < at + MAX_NAME_WORDS && goOn(tokens[next - 1], tokens[next]); next += 1) {
    const token = tokens[next];
    if (token === undefined || !(isCapital(token) || isLink(token))) break;
    if (isCapital(token)) end = next + 1;
  }
  return end;
}

function beginOf(tokens: readonly Token[], at: number): number {
  let begin = at;
  while (begin > 0 && at - begin < MAX_NAME_WORDS && goOn(tokens[begin - 1], tokens[begin])) {
    const before = tokens[begin - 1];
    if (before === undefined || !isCapital(before) || STOP_WORDS.has(before.text.toLowerCase())) break;
    begin -= 1;
  }
  return begin;
}

/** The name around a word; null where it has only words of the question. */
function nameAround(
  { tokens }: ProseStream,
  at: number,
  asked: readonly string[],
  isHeadLast: boolean,
): Token[] | null {
  const own = tokens.slice(isHeadLast ? beginOf(tokens, at) : at, endOf(tokens, at));
  const others = own.filter((token) => isCapital(token) && !asked.includes(stem(bare(token.text))));
  return others.some(({ text }) => bare(text).length >= MIN_NAME_LETTERS) ? own : null;
}

/** The institution of the property's kind. @returns null for none, and for two that stand there as often */
export function institutionNamed({ name, description }: Field, context: DocumentContext): Finding | null {
  const words = [...splitName(name), ...splitName(description).slice(0, 1)];
  const kinds = new Set(words.filter((word) => BODY.test(word)).map(stem));
  if (kinds.size === 0 || context.isBill()) return null;
  const asked = [...splitName(name), ...splitName(description)].map(stem);
  const stream = streamOf(context);
  const isHeadLast = HEAD_LAST.has(context.conventions.language ?? "");
  const names = stream.tokens.flatMap((token, at): Token[][] => {
    const word = isCapital(token) ? bare(token.text) : "";
    if (!kinds.has(stem(word))) return [];
    const found = nameAround(stream, at, asked, isHeadLast);
    return found === null ? [] : [found];
  });
  const textOf = (own: readonly Token[]): string =>
    own
      .map(({ text }) => text)
      .join(" ")
      .replace(/^\P{L}+|[,;:!?]+$/gu, "")
      .replace(/(?<=\p{Ll}{3})\.$/u, "");
  // A paper cites other journals, a contract other courts: the document's own stands on its first page.
  const groups = [...Map.groupBy(names, (own) => foldText(textOf(own))).values()]
    .filter((group) => group.some(([first]) => first?.page === 1))
    .sort((a, b) => b.length - a.length);
  const [first, second] = groups;
  const own = first?.[0];
  if (own === undefined || (second !== undefined && second.length === first?.length)) return null;
  const confidence = (first?.length ?? 0) > 1 ? REPEATED_CONFIDENCE : NAME_CONFIDENCE;
  return { value: textOf(own), tokens: own, confidence };
}
