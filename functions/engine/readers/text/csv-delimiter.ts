/** Comma-separated values (RFC 4180), and variants with semicolons, tabs or bars, as spreadsheets write them. */

const DELIMITERS = [",", ";", "\t", "|"];
/** Lines inspected to find the delimiter. */
const SAMPLE_LINES = 20;
const SAMPLE_CHARACTERS = 50_000;

/** Excel's statement of the delimiter, in a line before the first record. */
const STATED_DELIMITER = /^sep=([,;\t|])(?:\r\n?|\n|$)/i;

/** Score of a delimiter: it occurs equally often on the lines, and often. */
function delimiterScore(lines: readonly string[], delimiter: string): number {
  const counts = lines.map((line) => line.split(delimiter).length - 1);
  const first = counts[0] ?? 0;
  return counts.filter((count) => count === first && count > 0).length * Math.sqrt(first);
}

/** A decimal comma between two digits, where another delimiter separates the fields. */
const DECIMAL_COMMA = /(?<=\d),(?=\d)/g;

/** The delimiter that occurs equally often on the first lines, and often; a comma when none does. */
export function findDelimiter(text: string): string {
  const stated = STATED_DELIMITER.exec(text)?.[1];
  if (stated !== undefined) return stated;
  const lines = text
    .slice(0, SAMPLE_CHARACTERS)
    .replace(/"(?:[^"]|"")*"/g, "")
    .split(/\r\n?|\n/)
    .filter((line) => line.trim() !== "")
    .slice(0, SAMPLE_LINES);
  const others = DELIMITERS.filter((delimiter) => delimiter !== ",").map((delimiter) =>
    delimiterScore(lines, delimiter),
  );
  const hasOther = others.some((score) => score >= lines.length);
  const sample = hasOther ? lines.map((line) => line.replace(DECIMAL_COMMA, "")) : lines;
  let best = ",";
  let most = 0;
  for (const delimiter of DELIMITERS) {
    const score = delimiterScore(sample, delimiter);
    if (score > most) [best, most] = [delimiter, score];
  }
  return best;
}

/** Column limit of spreadsheets; a line with more delimiters is no record. */
const MAX_FIELDS = 16_384;

/** Fields of the longest record, counted by delimiters alone; undefined when a line has too many to be a record. */
export function countColumns(text: string): number | undefined {
  const delimiter = findDelimiter(text).charCodeAt(0);
  let count = 0;
  let most = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x0a || code === 0x0d) count = 0;
    else if (code === delimiter) {
      count += 1;
      if (count > most) most = count;
    }
    if (count >= MAX_FIELDS) return undefined;
  }
  return most + 1;
}

/** Yields records of fields. A quote inside an unquoted field is a quote; an unclosed one runs to the end. */
export function* parseCsv(text: string): Generator<string[]> {
  const delimiter = findDelimiter(text);
  const plainField = new RegExp(`[^${delimiter}\\r\\n]*`, "y");
  let record: string[] = [];
  let at = STATED_DELIMITER.exec(text)?.[0].length ?? 0;
  while (at < text.length) {
    let field = "";
    if (text[at] === '"') [field, at] = readQuoted(text, at + 1);
    plainField.lastIndex = at;
    const rest = plainField.exec(text)?.[0] ?? "";
    record.push(rest === "" ? field : field + rest);
    at += rest.length;
    if (text[at] === delimiter) {
      at += 1;
      if (at < text.length) continue;
      record.push("");
    }
    yield record;
    record = [];
    at += text.startsWith("\r\n", at) ? 2 : 1;
  }
}

/** Reads a quoted field from behind its opening quote. @returns the field, and the position after it */
function readQuoted(text: string, start: number): [string, number] {
  const parts: string[] = [];
  let from = start;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote === -1) return [parts.join("") + text.slice(from), text.length];
    parts.push(text.slice(from, quote));
    if (text[quote + 1] !== '"') return [parts.join(""), quote + 1];
    parts.push('"');
    from = quote + 2;
  }
}
