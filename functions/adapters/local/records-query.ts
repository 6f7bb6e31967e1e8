import type { RecordQuery } from "../../ports/records.ts";

const LAST_CODE_POINT = 0x10ffff;

/**
 * The smallest text greater than every text with this prefix, in order of code points and so of UTF-8 bytes. Undefined
 * when there is none.
 */
export function successorOf(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (points.at(-1) === LAST_CODE_POINT) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  // Surrogates are not characters: U+E000 follows U+D7FF.
  points.push(last === 0xd7ff ? 0xe000 : last + 1);
  return points.map((point) => String.fromCodePoint(point)).join("");
}

/**
 * SQL of one page. After `values` it takes the current time (Unix seconds) and the maximum number of rows.
 * @param after last sort key of the page before; the query's own bounds apply too
 */
export function pageStatement(query: RecordQuery, after: string | undefined): { sql: string; values: string[] } {
  const bounds: (readonly [condition: string, value: string | undefined])[] = [
    ["partition = ?", query.partition],
    ["sort >= ?", query.prefix ?? query.from],
    ["sort < ?", query.prefix === undefined ? undefined : successorOf(query.prefix)],
    ["sort <= ?", query.to],
    [query.descending ? "sort < ?" : "sort > ?", after],
  ];
  const given = bounds.filter((bound): bound is [string, string] => bound[1] !== undefined);
  const where = given.map(([condition]) => condition).join(" AND ");
  const sql = `SELECT sort, version, expires_at, value FROM records
    WHERE ${where} AND (expires_at IS NULL OR expires_at > ?) ORDER BY sort ${query.descending ? "DESC" : "ASC"} LIMIT ?`;
  return { sql, values: given.map(([, value]) => value) };
}
