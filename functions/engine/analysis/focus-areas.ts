/** The caller's focus: names of fields, or areas such as amounts, dates, rows. */
import { fieldOf, type Issue, type IssueKind } from "./issue.ts";

/** Words for areas, with their kinds of issues. */
const AREAS: readonly [words: readonly string[], kinds: readonly IssueKind[]][] = [
  [
    ["amount", "total", "sum", "arithmetic", "calculation", "number", "numeric", "financial", "price"],
    ["arithmetic", "column"],
  ],
  [["date", "dates", "order", "chronology"], ["order"]],
  [
    ["row", "list", "table", "item", "line", "completeness", "missing"],
    ["missing-row", "duplicate-row", "shortfall"],
  ],
  [["missing", "required", "completeness", "empty"], ["missing-field"]],
  [["duplicate"], ["duplicate-row"]],
  [["ocr", "scan", "recognition", "quality"], ["ocr"]],
  [["checksum", "iban", "identifier", "code", "id"], ["checksum"]],
  [
    ["format", "schema", "validation", "type"],
    ["format", "schema"],
  ],
  [["hallucination", "unmatched", "evidence", "invented"], ["not-found"]],
];

const singular = (word: string): string => (word.length > 3 ? word.replace(/(?<!s)s$/, "") : word);

/** The words of a name in any style, in lower case and singular. */
const wordsOf = (text: string): string[] =>
  text
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "" && !/^\d+$/.test(word))
    .map(singular);

/** The issues of some areas; without areas all of them. */
export function inFocus(issues: readonly Issue[], areas: readonly string[]): Issue[] {
  const words = new Set(areas.flatMap(wordsOf));
  if (words.size === 0) return [...issues];
  const kinds = new Set(
    AREAS.flatMap(([names, meant]) => (names.some((name) => words.has(singular(name))) ? meant : [])),
  );
  return issues.filter(
    ({ pointer, kind }) => kinds.has(kind) || wordsOf(fieldOf(pointer)).some((word) => words.has(word)),
  );
}
