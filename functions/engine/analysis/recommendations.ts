/** Recommendations from all issues of a result. */
import { type Analysis, fieldOf, type Issue, type IssueKind } from "./issue.ts";

interface Recommendation {
  type: string;
  description: string;
  [member: string]: string;
}

const MAX_LISTED_FIELDS = 10;
/** Share of poorly recognised words from which OCR is recommended again. */
const MIN_POOR_WORD_SHARE = 0.1;

const ADVICE: readonly { type: string; kinds: readonly IssueKind[]; says: string; more: string }[] = [
  {
    type: "review",
    kinds: ["value", "not-found", "judgement", "column", "format"],
    says: "Compare these fields with the document",
    more: "GET /job/image/{guid}/{pageIndex}?locations=true shows where each value was read.",
  },
  {
    type: "totals",
    kinds: ["arithmetic"],
    says: "Amounts do not add up; look at these fields",
    more: "One wrong amount, or one missing row, is enough for that.",
  },
  {
    type: "identifiers",
    kinds: ["checksum"],
    says: "Check digits fail; look at these fields digit by digit",
    more: "Digits that look alike are the usual cause in scans.",
  },
  {
    type: "dates",
    kinds: ["order"],
    says: "Dates are out of order; look at these fields",
    more: "Day and month may be exchanged.",
  },
  {
    type: "completeness",
    kinds: ["missing-row", "shortfall", "missing-field", "duplicate-row"],
    says: "Something is missing or doubled; look at these fields",
    more: "mapReduce, or extraction by STEPS, reads long lists in parts.",
  },
  {
    type: "schema",
    kinds: ["schema"],
    says: "Values do not fit the schema; look at these fields",
    more: "Where the document is right, loosen the schema.",
  },
];

/** @param detailed adds the reason of each recommendation */
export function recommendationsOf(
  issues: readonly Issue[],
  { words, poor }: Analysis["recognised"],
  detailed: boolean,
): Recommendation[] {
  const advice = ADVICE.flatMap(({ type, kinds, says, more }): Recommendation[] => {
    const fields = [
      ...new Set(issues.filter(({ kind }) => kinds.includes(kind)).map(({ pointer }) => fieldOf(pointer))),
    ];
    if (fields.length === 0) return [];
    const named = fields.slice(0, MAX_LISTED_FIELDS).join(", ") + (fields.length > MAX_LISTED_FIELDS ? ", …" : "");
    return [{ type, description: `${says}: ${named}.${detailed ? ` ${more}` : ""}` }];
  });
  const poorly = issues.some(({ kind }) => kind === "ocr") || (words > 0 && poor / words >= MIN_POOR_WORD_SHARE);
  if (!poorly) return advice;
  const counted = detailed && words > 0 ? ` ${poor} of ${words} recognised words are doubtful.` : "";
  return [
    ...advice,
    {
      type: "ocr",
      description: `Parts of the document were recognised poorly; process it again with ocr PREMIUM, or scan it anew.${counted}`,
    },
  ];
}
