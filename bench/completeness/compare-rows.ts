/** Compares true rows with those of a result; aligned and judged as in `npx sheaf eval`. */
import { alignLists } from "../../client/eval/align.ts";
import { judge } from "../../client/eval/judge.ts";
import type { PatternRule } from "../../client/eval/rules.ts";
import { isScalar } from "../../client/eval/values.ts";
import type { Json } from "../../functions/ports/json.ts";

/** All values must be exactly equal. */
const EXACT_RULES: PatternRule[] = [{ pattern: "", rule: { compare: "exact" } }];

/** The other row has no more members than the true row. */
const saysNoMore = (row: Json, other: Json): boolean =>
  isScalar(row) || isScalar(other) || Object.keys(row).length >= Object.keys(other).length;

const isSame = (row: Json, other: Json): boolean =>
  judge(row, other, EXACT_RULES).every(({ verdict }) => verdict === "right" || verdict === "absent") &&
  saysNoMore(row, other);

/** Indexes of the true rows in the result, in any order, each compared with at most one row of it. */
export const rowsFound = (rows: readonly Json[], given: readonly Json[]): Set<number> =>
  new Set(
    alignLists(rows, given, { align: "best" }).flatMap(([at, other]) =>
      isSame(rows[at] ?? null, given[other] ?? null) ? [at] : [],
    ),
  );
