/** docs/conformance.md, made of the requirements. */
import type { Requirement } from "./requirements.ts";

/** Text for a cell of a table. */
const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");
/** Without backticks, which the pages' tests read as paths and commands. */
const test = (text: string): string => cell(text).replaceAll("`", "").replaceAll("*", "\\*").replaceAll("_", "\\_");

const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

function sectionOf(requirements: readonly Requirement[]): string[] {
  const rows = requirements.map(({ kind, name, tests, notBuilt }) => {
    const held = notBuilt === undefined ? tests.map(test).join("<br>") : `not built: ${cell(notBuilt)}`;
    return `| ${kind} | ${cell(name)} | ${held} |`;
  });
  return ["| kind | requirement | held by |", "|---|---|---|", ...rows, ""];
}

/** The page. Its tables have a row for each requirement. */
export function renderConformance(requirements: readonly Requirement[]): string {
  const built = requirements.filter(({ notBuilt }) => notBuilt === undefined);
  const lines = [
    "# Conformance",
    "",
    "What the specification of this service names (sections, routes, options, statuses, settings), each with the tests that hold it,",
    "as `file > title`, the file below `test/`. `npm run conformance` writes this page from `test/conformance/requirements`; `npm test`",
    "fails when the page is old, when a test is missing or switched off, and when the service has a route, status or option that no",
    "requirement names.",
    "",
    `${plural(requirements.length, "requirement")}: ${built.length} held by ${plural(new Set(built.flatMap(({ tests }) => tests)).size, "test")}, ${requirements.length - built.length} not built.`,
    "",
  ];
  for (const [chapter, all] of Map.groupBy(requirements, (one) => one.chapter)) {
    lines.push(`## ${chapter}`, "");
    for (const [section, own] of Map.groupBy(all, (one) => one.section)) {
      if (section !== chapter) lines.push(`### ${section}`, "");
      lines.push(...sectionOf(own));
    }
  }
  return `${lines.join("\n").trimEnd()}\n`;
}
