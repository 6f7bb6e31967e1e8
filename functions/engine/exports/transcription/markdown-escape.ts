/** Text as Markdown that means just this text (CommonMark 0.31.2, GitHub's tables, tasks and strikethrough). */

const PUNCTUATION = "[!-/:-@[-`{-~]";
const BACKSLASH = new RegExp(`\\\\(?=${PUNCTUATION}|$|\\s)`, "g");
const DELIMITERS = /\*+|_+|~+/g;
const isSpace = (sign: string | undefined): boolean => sign === undefined || /\s/.test(sign);
const isLetter = (sign: string | undefined): boolean => sign !== undefined && /[\p{L}\p{N}]/u.test(sign);

/** Stars, underscores and tildes that touch something can open or close emphasis; underscores within a word cannot. */
const escapeDelimiters = (text: string): string =>
  text.replace(DELIMITERS, (run, at: number) => {
    const [before, after] = [text[at - 1], text[at + run.length]];
    if (isSpace(before) && isSpace(after)) return run;
    if (run[0] === "_" && isLetter(before) && isLetter(after)) return run;
    return run.replaceAll(/./g, "\\$&");
  });

/** What would be code, emphasis, a link, HTML or an entity anywhere in a line is escaped. */
export function escapeInline(text: string): string {
  if (!/[\\`*_~[\]<&]/.test(text)) return text;
  const escaped = escapeDelimiters(text.replace(BACKSLASH, "\\\\"));
  return escaped
    .replace(/[`[\]]/g, "\\$&")
    .replace(/<(?=[a-z/!?])/gi, "\\<")
    .replace(/&(?=#?\w{1,32};)/g, "\\&");
}

/** What would begin a heading, quote, list, fence, rule, table or HTML at a line's start is escaped. */
export function escapeStart(line: string): string {
  if (/^[|:\-\s]+$/.test(line) && line.includes("-")) return `\\${line}`;
  return line
    .replace(/^(#{1,6}(?=\s|$)|>|[-+*](?=\s|$)|=+\s*$|~{3,}|\|)/, "\\$1")
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, "$1\\$2")
    .replace(/^([*_])(?=(?:\s*\1){2,}\s*$)/, "\\$1");
}

/** A heading ends with its text, not with the `#` that may close it. */
export const escapeHeading = (text: string): string => text.replace(/(^|\s)(#+)$/, "$1\\$2");

/** In a table's cell a bar would end it, even within code. */
export const escapeCell = (text: string): string => text.replaceAll("|", "\\|");

const SCHEMES = /^(?:https?:\/\/|mailto:|tel:)/i;

/** A link's target that no browser runs; undefined for any other. Spaces, brackets and the like are percent-encoded. */
export function linkTarget(uri: string): string | undefined {
  if (!SCHEMES.test(uri)) return undefined;
  return uri
    .replaceAll(/[\s<>()[\]\\|`*_"\p{Cc}\u2028\u2029]/gu, (sign) =>
      [...new TextEncoder().encode(sign)]
        .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)
        .join(""),
    )
    .replaceAll(/&(?=#?\w{1,32};)/g, "&amp;");
}
