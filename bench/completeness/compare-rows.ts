/** True rows beside those of a result, aligned and judged as `npx sheaf eval` does it. */
import { alignLists } from "../../client/eval/align.ts";
import { judge } from "../../client/eval/judge.ts";
import type { PatternRule } from "../../client/eval/rules.ts";
import { isScalar } from "../../client/eval/values.ts";
import type { Json } from "../../functions/ports/json.ts";

/** Whatever a row says is the same to the letter. */
const EXACT: PatternRule[] = [{ pattern: "", rule: { compare: "exact" } }];

/** No member more than the true row has, whatever it says. */
const saysNoMore = (row: Json, other: Json): boolean =>
  isScalar(row) || isScalar(other) || Object.keys(row).length >= Object.keys(other).length;

const isSame = (row: Json, other: Json): boolean =>
  judge(row, other, EXACT).every(({ verdict }) => verdict === "right" || verdict === "absent") &&
  saysNoMore(row, other);

/** The places of the true rows that the result has, in any order, each held against one row of it at most. */
export const rowsFound = (rows: readonly Json[], given: readonly Json[]): Set<number> =>
  new Set(
    alignLists(rows, given, { align: "best" }).flatMap(([at, other]) =>
      isSame(rows[at] ?? null, given[other] ?? null) ? [at] : [],
    ),
  );
