/**
 * Regular expressions out of the words of the language files. A word of the files is plain text, or a pattern in which
 * `*` is any letters, `?` makes the sign or the group before it optional, `(a|b)` and `[ab]` choose, and a backslash
 * takes the next sign as it is. A point is a point.
 */
import { foldText } from "../text-folding.ts";

export interface PatternOptions {
  /** Expression for `*`. */
  rest?: string;
  /** Expression for a space between words. */
  space?: string;
}

const TOKEN = /\\.| \?|[.*( ]/gu;

function toSource(pattern: string, { rest = "\\p{L}*", space = " " }: PatternOptions): string {
  const signs: Record<string, string> = { ".": "\\.", "*": rest, "(": "(?:", " ": space, " ?": "\\s?" };
  return pattern.replace(TOKEN, (sign) => signs[sign] ?? sign);
}

/** The source of an expression for any of the words, without a group around it. */
export const anyOf = (words: readonly string[], options: PatternOptions = {}): string =>
  toSource(words.join("|"), options);

/** The same for texts that are folded (`foldText`). */
export const anyFolded = (words: readonly string[], options: PatternOptions = {}): string =>
  toSource(foldText(words.join("|")), options);

/** The source of an expression for one of others as whole words of any script: `\\b` knows Latin letters only. */
export const wholeWords = (source: string): string => `(?<![\\p{L}\\d_])(?:${source})(?![\\p{L}\\d_])`;
