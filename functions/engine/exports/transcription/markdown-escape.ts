/** Escapes text for Markdown (CommonMark 0.31.2, GitHub's tables, tasks and strikethrough). */

const PUNCTUATION = "[!-/:-@[-`{-~]";
const BACKSLASH = new RegExp(`\\\\(?=${PUNCTUATION}|$|\\s)`, "g");
const DELIMITERS = /\*+|_+|~+/g;
const isSpace = (sign: string | undefined): boolean => sign === undefined || /\s/.test(sign);
const isLetter = (sign: string | undefined): boolean => sign !== undefined && /[\p{L}\p{N}]/u.test(sign);

/** Escapes stars, underscores and tildes that could open or close emphasis; underscores within a word cannot. */
const escapeDelimiters = (text: string): string =>
  text.replace(DELIMITERS, (run, at: number) => {
    const [before, after] = [text[at - 1], text[at + run.length]];
    if (isSpace(before) && isSpace(after)) return run;
    if (run[0] === "_" && isLetter(before) && isLetter(after)) return run;
    return run.replaceAll(/./g, "\\$&");
  });

/** Escapes code, emphasis, links, HTML and entities anywhere in a line. */
export function escapeInline(text: string): string {
  if (!/[\\`*_~[\]<&]/.test(text)) return text;
  const escaped = escapeDelimiters(text.replace(BACKSLASH, "\\\\"));
  return escaped
    .replace(/[`[\]]/g, "\\$&")
    .replace(/<(?=[a-z/!?])/gi, "\\<")
    .replace(/&(?=#?\w{1,32};)/g, "\\&");
}

/** Escapes headings, quotes, lists, fences, rules, tables and HTML at a line's start. */
export function escapeStart(line: string): string {
  if (/^[|:\-\s]+$/.test(line) && line.includes("-")) return `\\${line}`;
  return line
    .replace(/^(#{1,6}(?=\s|$)|>|[-+*](?=\s|$)|=+\s*$|~{3,}|\|)/, "\\$1")
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, "$1\\$2")
    .replace(/^([*_])(?=(?:\s*\1){2,}\s*$)/, "\\$1");
}

/** Escapes a trailing `#`, which would close the heading. */
export const escapeHeading = (text: string): string => text.replace(/(^|\s)(#+)$/, "$1\\$2");

/** Escapes bars, which end a table cell even within code. */
export const escapeCell = (text: string): string => text.replaceAll("|", "\\|");

const SAFE_SCHEMES = /^(?:https?:\/\/|mailto:|tel:)/i;

/** A link target that browsers do not run; undefined for others. Spaces, brackets and the like are percent-encoded. */
export function linkTarget(uri: string): string | undefined {
  if (!SAFE_SCHEMES.test(uri)) return undefined;
  return uri
    .replaceAll(/[\s<>()[\]\\|`*_"\p{Cc}\u2028\u2029]/gu, (sign) =>
      [...new TextEncoder().encode(sign)]
        .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)
        .join(""),
    )
    .replaceAll(/&(?=#?\w{1,32};)/g, "&amp;");
}
