/** Nested lists: `regions.*.stores`, by the sections of their rows. */
import type { TrueRow } from "./articles.ts";

/** A row of a result: a true one, or a replacement. */
export type GivenRow = Omit<TrueRow, "row"> & { row: Record<string, string | number | null> };

const nestedNames = (name: string): [string, string] | undefined => {
  const [outer, inner] = name.split(".*.");
  return outer !== undefined && inner !== undefined ? [outer, inner] : undefined;
};

/** The rows of a list in a result. */
export function rowsAt(data: Record<string, unknown>, name: string): unknown[] {
  const nested = nestedNames(name);
  if (nested === undefined) return (data[name] ?? []) as unknown[];
  const [outer, inner] = nested;
  return ((data[outer] ?? []) as Record<string, unknown[] | undefined>[]).flatMap((one) => one[inner] ?? []);
}

/** A list as a member of a result: its name and value. */
export function listOf(name: string, rows: readonly GivenRow[]): [string, unknown[]] {
  const nested = nestedNames(name);
  if (nested === undefined) return [name, rows.map(({ row }) => row)];
  const [outer, inner] = nested;
  const groups = Map.groupBy(rows, ({ section = "" }) => section);
  return [
    outer,
    [...groups].map(
      ([section, own]): Record<string, string | GivenRow["row"][]> => ({
        region: section,
        [inner]: own.map(({ row }) => row),
      }),
    ),
  ];
}
