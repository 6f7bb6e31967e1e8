/** A punctuation mark, an empty object or array, white space, a word or a number. */
const TOKEN_PATTERN = /[{[]\s*[}\]]|[{}[\],:]|\s+|[^\s"{}[\],:]+/y;

/**
 * JSON text with line ends and two spaces of indentation. All tokens stay as they are: unlike JSON.parse and
 * JSON.stringify it keeps the digits of numbers and the order of members. The text must be valid JSON.
 */
export function prettyJson(text: string): string {
  const out: string[] = [];
  let depth = 0;
  const line = (): string => `\n${"  ".repeat(depth)}`;
  for (let at = 0; at < text.length; ) {
    const end = text[at] === '"' ? endOfString(text, at) : endOfToken(text, at);
    const token = text[at] === '"' ? text.slice(at, end) : text.slice(at, end).replace(/\s+/g, "");
    at = end;
    if (token === "{" || token === "[") {
      depth++;
      out.push(token, line());
    } else if (token === "}" || token === "]") {
      depth--;
      out.push(line(), token);
    } else if (token === ",") out.push(token, line());
    else if (token === ":") out.push(": ");
    else out.push(token);
  }
  return out.join("");
}

function endOfToken(text: string, start: number): number {
  TOKEN_PATTERN.lastIndex = start;
  return start + (TOKEN_PATTERN.exec(text)?.[0].length ?? 1);
}

/** The index after the closing quote: the first quote behind an even number of backslashes. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text[quote - 1 - backslashes] === "\\") backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return text.length;
}
