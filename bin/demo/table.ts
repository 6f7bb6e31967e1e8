import type { Json, SourceLocations } from "../../client/index.ts";

const formatInches = (value: number): string => value.toFixed(2).padStart(5);

/** The members of a flat result as a table: value, page, box (inches from the top left corner), confidence. */
export function dataTable(data: Json, sources: SourceLocations): string {
  const members = data !== null && typeof data === "object" && !Array.isArray(data) ? Object.entries(data) : [];
  const rows = members.map(([name, value]) => {
    const location = sources.locations[`/${name}`];
    const anchor = location?.pageAnchors[0];
    const reason = sources.unresolved.find(({ pointer }) => pointer === `/${name}`)?.reason ?? "";
    if (location === undefined || anchor === undefined) return [name, String(value), "-", reason, ""];
    const { left, top, right, bottom } = anchor.bbox;
    const place = `${formatInches(left)} ${formatInches(top)} – ${formatInches(right)} ${formatInches(bottom)}`;
    return [name, String(value), String(anchor.pageNumber), place, location.confidence.toFixed(2)];
  });
  const table = [["field", "value", "page", "left  top – right bottom (in)", "confidence"], ...rows];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (row: string[]): string =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}`.trimEnd();
  const [head = [], ...body] = table;
  return `${[line(head), `  ${widths.map((width) => "-".repeat(width)).join("  ")}`, ...body.map(line)].join("\n")}\n`;
}
