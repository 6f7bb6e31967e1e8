/** Parser for number formats of sheets (ECMA-376 part 1, 18.8.30 and 18.8.31). */

export type FormatToken =
  | { kind: "literal"; text: string }
  /** `0`, `#` or `?`. */
  | { kind: "digit"; text: string }
  | { kind: "point" }
  | { kind: "comma" }
  | { kind: "percent" }
  | { kind: "exponent"; plus: boolean }
  | { kind: "fraction" }
  | { kind: "text" }
  | { kind: "general" }
  /** `yyyy`, `m`, `ss` …, in lower case. */
  | { kind: "date"; text: string }
  /** `[h]`, `[mm]`, `[s]`: hours, minutes, seconds beyond their usual range. */
  | { kind: "elapsed"; unit: string; width: number }
  | { kind: "half-day" }
  /** Decimal places of seconds. */
  | { kind: "second-part"; width: number };

export interface FormatSection {
  tokens: FormatToken[];
  /** A condition such as `[>=100]`. */
  condition?: (value: number) => boolean;
  isDate: boolean;
}

/** Excel's own limit is 255 characters. */
const MAX_CODE_CHARACTERS = 512;

/** One token; alternatives are tried in this order. */
const TOKEN_PATTERN =
  /"(?<quoted>[^"]*)"|\\(?<escaped>.)|_.|\*.|\[(?<bracket>[^\]]*)\]|(?<general>General)|(?<half>AM\/PM|A\/P)|(?<exponent>E[+-])|(?<second>\.0+(?=[^0#?]|$))|(?<date>y+|m+|d+|h+|s+|e+|g+)|(?<digit>[0#?])|(?<other>.)/giy;

const COMPARISONS: Readonly<Record<string, (value: number, bound: number) => boolean>> = {
  "<": (value, bound) => value < bound,
  "<=": (value, bound) => value <= bound,
  ">": (value, bound) => value > bound,
  ">=": (value, bound) => value >= bound,
  "=": (value, bound) => value === bound,
  "<>": (value, bound) => value !== bound,
};

/** Reads a bracket: `[Red]`, `[$€-407]`, `[>=100]`, `[h]`. */
function readBracket(text: string, section: FormatSection): void {
  const elapsed = /^(h+|m+|s+)$/i.exec(text)?.[1];
  const [, comparison, bound] = /^(<>|<=|>=|<|>|=)(-?[\d.]+)$/.exec(text) ?? [];
  const compare = COMPARISONS[comparison ?? ""];
  if (elapsed !== undefined) {
    section.tokens.push({ kind: "elapsed", unit: elapsed.slice(0, 1).toLowerCase(), width: elapsed.length });
  } else if (compare !== undefined) section.condition = (value) => compare(value, Number(bound));
  else if (text.startsWith("$"))
    section.tokens.push({ kind: "literal", text: text.slice(1).replace(/-[\da-f]*$/i, "") });
}

const TOKEN_BY_SIGN: Readonly<Record<string, FormatToken>> = {
  ".": { kind: "point" },
  ",": { kind: "comma" },
  "%": { kind: "percent" },
  "/": { kind: "fraction" },
  "@": { kind: "text" },
};

const newSection = (): FormatSection => ({ tokens: [], isDate: false });

function readToken(groups: Record<string, string | undefined>, section: FormatSection): void {
  const { tokens } = section;
  const { quoted, escaped, bracket, general, half, exponent, second, date, digit, other } = groups;
  const inSeconds = tokens.findLast((token) => token.kind === "date" || token.kind === "elapsed");
  if (quoted !== undefined || escaped !== undefined) tokens.push({ kind: "literal", text: quoted ?? escaped ?? "" });
  else if (bracket !== undefined) readBracket(bracket, section);
  else if (general !== undefined) tokens.push({ kind: "general" });
  else if (half !== undefined) tokens.push({ kind: "half-day" });
  else if (exponent !== undefined) tokens.push({ kind: "exponent", plus: exponent.endsWith("+") });
  else if (second !== undefined) {
    const isPart = inSeconds !== undefined && (inSeconds.kind === "elapsed" || inSeconds.text.startsWith("s"));
    if (isPart) tokens.push({ kind: "second-part", width: second.length - 1 });
    else tokens.push({ kind: "point" }, ...[...second.slice(1)].map((text) => ({ kind: "digit", text }) as const));
  } else if (date !== undefined) tokens.push({ kind: "date", text: date.toLowerCase() });
  else if (digit !== undefined) tokens.push({ kind: "digit", text: digit });
  else if (other !== undefined) tokens.push(TOKEN_BY_SIGN[other] ?? { kind: "literal", text: other });
}

/** The sections of a format, between its semicolons. */
export function parseFormat(code: string): FormatSection[] {
  const sections = [newSection()];
  for (const match of code.slice(0, MAX_CODE_CHARACTERS).matchAll(TOKEN_PATTERN)) {
    if (match.groups?.other === ";") sections.push(newSection());
    else if (match.groups !== undefined) readToken(match.groups, sections.at(-1) ?? newSection());
  }
  for (const section of sections) {
    section.isDate = section.tokens.some(({ kind }) => kind === "date" || kind === "elapsed" || kind === "half-day");
    // A slash or comma separates the numbers of a date; in some countries a point does.
    if (section.isDate) section.tokens = section.tokens.map(asDatePart);
  }
  return sections;
}

function asDatePart(token: FormatToken): FormatToken {
  const text = { fraction: "/", comma: ",", point: ".", percent: "%" }[token.kind as string];
  return text === undefined ? token : { kind: "literal", text };
}
