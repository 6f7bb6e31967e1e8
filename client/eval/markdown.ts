/** A report as Markdown, with tables that align in a terminal, too. */
import type { Change, DocumentChange, ReportComparison } from "./compare.ts";
import type { DocumentReport, Fault, Report } from "./report.ts";
import type { Score, Share } from "./score.ts";
import type { Shortfall } from "./thresholds.ts";

const MAX_VALUE_CHARACTERS = 60;
/** Fixed or broken values named for a document; the JSON report has all. */
const MAX_NAMED_FAULTS = 10;

/** On one line, with Markdown escaped: names and sentences are free text. */
const cellText = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, " ").replace(/([|\\`*<>[\]])/gu, "\\$1");

/** Pointers and values as code, since documents contain any text; a bar would end the cell even in code. */
const codeSpan = (text: string): string =>
  `\`${text
    .replace(/[\s\p{Cc}]+/gu, " ")
    .replaceAll("`", "'")
    .replace(/\\*\|/gu, "\\|")}\``;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0), 3));
  const line = (row: readonly string[]): string =>
    `| ${widths.map((width, column) => (row[column] ?? "").padEnd(width)).join(" | ")} |`;
  return [line(head), `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`, ...rows.map(line)].join("\n");
}

const formatNumber = (value: number | null): string => (value === null ? "–" : value.toFixed(3));
const formatShare = ({ share, interval }: Share): string =>
  share === null ? "–" : `${formatNumber(share)} (${formatNumber(interval.low)}–${formatNumber(interval.high)})`;

const SCORE_HEADS = [
  "recall (95 %)",
  "precision (95 %)",
  "exact (95 %)",
  "normalised (95 %)",
  "fuzzy (95 %)",
  "likeness",
  "right/returned/stated",
];

const scoreCells = (score: Score): string[] => [
  formatShare(score.recall),
  formatShare(score.precision),
  formatShare(score.exact),
  formatShare(score.normalised),
  formatShare(score.fuzzy),
  formatNumber(score.similarity),
  `${score.right}/${score.returned}/${score.stated}`,
];

/** A table of scores by name, with the total. */
function scoreTable(title: string, scores: Readonly<Record<string, Score>>, total?: Score): string {
  const rows = Object.entries(scores).map(([name, score]) => [
    name.startsWith("/") ? codeSpan(name) : cellText(name),
    ...scoreCells(score),
  ]);
  return table([title, ...SCORE_HEADS], total === undefined ? rows : [...rows, ["all", ...scoreCells(total)]]);
}

function formatValue(of: Fault["got"]): string {
  const text = JSON.stringify(of);
  return codeSpan(text.length > MAX_VALUE_CHARACTERS ? `${text.slice(0, MAX_VALUE_CHARACTERS - 1)}…` : text);
}

function formatPlace({ place: at }: Fault): string {
  if (at === null) return "–";
  const { left, top, right, bottom } = at.bbox;
  const digits = at.unit === "inch" ? 2 : 0;
  const [x, y, x2, y2] = [left, top, right, bottom].map((edge) => edge.toFixed(digits));
  return `page ${at.pageNumber}, ${x} ${y} – ${x2} ${y2} ${at.unit === "inch" ? "in" : "pt"}`;
}

function worstTable(worst: Report["worst"]): string {
  const rows = worst.map((fault) => [
    cellText(fault.document),
    codeSpan(fault.pointer),
    fault.verdict,
    formatValue(fault.expected),
    formatValue(fault.got),
    formatNumber(fault.confidence),
    fault.picture === null
      ? formatPlace(fault)
      : `[${formatPlace(fault)}](<${fault.picture.replace(/[<>|\s]/gu, encodeURIComponent)}>)`,
  ]);
  return table(["document", "value", "fault", "expected", "got", "confidence", "where it was read"], rows);
}

/** Lists documents that did not end COMPLETED. */
function unfinishedLines(documents: readonly DocumentReport[]): string[] {
  return documents
    .filter(({ status }) => status !== "COMPLETED")
    .map(({ name, status, error }) => `- ${cellText(name)}: ${status}${error === null ? "" : `, ${cellText(error)}`}`);
}

const changeRow = ({ field, measure, before, after, interval, verdict }: Change): string[] => [
  field === null ? "all" : codeSpan(field),
  measure,
  formatNumber(before),
  formatNumber(after),
  `${formatNumber(interval.low)} to ${formatNumber(interval.high)}`,
  verdict === "within" ? "within the interval" : `**${verdict}**`,
];

function documentLines({ name, before, after, mended, broken }: DocumentChange): string[] {
  const status = before === after ? "" : `, ${before} → ${after}`;
  const named = (faults: readonly Fault[], what: string): string[] => {
    const rest = faults.length - MAX_NAMED_FAULTS;
    return [
      ...faults
        .slice(0, MAX_NAMED_FAULTS)
        .map(
          (one) =>
            `  - ${what}: ${codeSpan(one.pointer)}, expected ${formatValue(one.expected)}, got ${formatValue(one.got)}`,
        ),
      ...(rest > 0 ? [`  - ${what}: ${rest} more`] : []),
    ];
  };
  return [`- ${cellText(name)}${status}`, ...named(broken, "broken"), ...named(mended, "mended")];
}

/** The comparison with an older report, a section of the newer one. */
function comparisonLines({ changes, documents, added, removed }: ReportComparison): string[] {
  const head = ["field", "measure", "before", "after", "difference (95 %)", ""];
  return [
    "## Since the older report",
    changes.length === 0 ? "No field's recall or precision changed." : table(head, changes.map(changeRow)),
    ...(documents.length === 0
      ? []
      : [["Documents that changed:", "", ...documents.flatMap(documentLines)].join("\n")]),
    ...(added.length === 0 ? [] : [`Only in this one: ${added.map(cellText).join(", ")}`]),
    ...(removed.length === 0 ? [] : [`Only in the older one: ${removed.map(cellText).join(", ")}`]),
  ];
}

const shortfallLine = ({ field, measure, least, reached }: Shortfall): string =>
  `- ${field === null ? "all fields" : codeSpan(field)}: ${measure} ${reached === null ? "has nothing to measure" : `is ${formatNumber(reached)}`}, ${least} is asked for`;

/** The report with its comparison and the thresholds that it misses. */
export function markdownOf(
  report: Report,
  more: { comparison?: ReportComparison; shortfalls?: readonly Shortfall[] } = {},
): string {
  const { total, documents, worst } = report;
  const { comparison, shortfalls = [] } = more;
  const statuses = Object.entries(report.statuses).map(([status, count]) => `${count} ${status}`);
  const engines = [...new Set(documents.flatMap(({ engine }) => engine ?? []))];
  const named = unfinishedLines(documents);
  const parts = [
    `# Evaluation of ${cellText(report.set)}`,
    `${documents.length} documents (${statuses.join(", ")}), ${total.stated} values stated; ${report.service}${engines.length === 0 ? "" : `, engine ${engines.map(cellText).join(", ")}`}, ${report.createdAt}.`,
    ...(shortfalls.length === 0 ? [] : [["## Below the threshold", "", ...shortfalls.map(shortfallLine)].join("\n")]),
    "## Fields",
    scoreTable("field", report.fields, total),
    ...(Object.keys(report.groups).length === 0 ? [] : ["## Groups", scoreTable("group", report.groups)]),
    ...(named.length === 0 ? [] : ["## Not COMPLETED", named.join("\n")]),
    ...(comparison === undefined ? [] : comparisonLines(comparison)),
    ...(worst.length === 0 ? [] : ["## Worst values", worstTable(worst)]),
  ];
  return `${parts.join("\n\n")}\n`;
}
