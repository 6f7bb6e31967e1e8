/** Comma-separated values (RFC 4180), and the same with semicolons, tabs or bars, as spreadsheets write them. */

const DELIMITERS = [",", ";", "\t", "|"];
/** Lines looked at to find the delimiter. */
const SAMPLE_LINES = 20;
const SAMPLE_CHARACTERS = 50_000;

/** Excel's own way to say which one it is, in a line before the first. */
const STATED = /^sep=([,;\t|])(?:\r\n?|\n|$)/i;

/** How well a delimiter parts the lines: it stands equally often on them, and often. */
function scoreOf(lines: readonly string[], delimiter: string): number {
  const counts = lines.map((line) => line.split(delimiter).length - 1);
  const first = counts[0] ?? 0;
  return counts.filter((count) => count === first && count > 0).length * Math.sqrt(first);
}

/** A comma between two digits: that of a decimal number, where something else parts the fields. */
const DECIMAL_COMMA = /(?<=\d),(?=\d)/g;

/** The delimiter that stands equally often on the first lines, and often; a comma when none does. */
export function findDelimiter(text: string): string {
  const stated = STATED.exec(text)?.[1];
  if (stated !== undefined) return stated;
  const lines = text
    .slice(0, SAMPLE_CHARACTERS)
    .replace(/"(?:[^"]|"")*"/g, "")
    .split(/\r\n?|\n/)
    .filter((line) => line.trim() !== "")
    .slice(0, SAMPLE_LINES);
  const others = DELIMITERS.filter((delimiter) => delimiter !== ",").map((delimiter) => scoreOf(lines, delimiter));
  const hasOther = others.some((score) => score >= lines.length);
  const own = hasOther ? lines.map((line) => line.replace(DECIMAL_COMMA, "")) : lines;
  let best = ",";
  let most = 0;
  for (const delimiter of DELIMITERS) {
    const score = scoreOf(own, delimiter);
    if (score > most) [best, most] = [delimiter, score];
  }
  return best;
}

/** Spreadsheets end at so many columns; a line with more delimiters is no record. */
const MOST_FIELDS = 16_384;

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
    if (count >= MOST_FIELDS) return undefined;
  }
  return most + 1;
}

/** Records of fields. A quote inside an unquoted field is a quote; an unclosed one runs to the end. */
export function* parseCsv(text: string): Generator<string[]> {
  const delimiter = findDelimiter(text);
  const plainField = new RegExp(`[^${delimiter}\\r\\n]*`, "y");
  let record: string[] = [];
  let at = STATED.exec(text)?.[0].length ?? 0;
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

/** From behind the opening quote. @returns the field, and where to go on */
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
