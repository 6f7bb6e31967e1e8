import * as z from "zod";
import type { CheckedData } from "../extraction/answers/check-data.ts";
import type { Doubt } from "../extraction/answers/doubts.ts";
import type { PartAnswer } from "../extraction/answers/merge-answers.ts";
import type { StatedLimit } from "../extraction/answers/stated-limits.ts";
import type { RecordListSpec } from "../extraction/chunks/record-form.ts";
import type { TextConventions } from "../values/text-conventions.ts";
import { defineTask } from "./define-task.ts";
import { count } from "./number-shapes.ts";
import { bytes, json, shaped, typed } from "./shapes.ts";
import { faults, statedLimits } from "./value-shapes.ts";

export interface ReadAnswers extends CheckedData {
  /** Ids of the parts with an unreadable answer; where there are some, the data is incomplete. */
  unread: string[];
  doubts: Doubt[];
  /** Limits of lists that the answers state. */
  limits: StatedLimit[];
}

/** Merges a model's answers to the parts of a schema into one checked result. */
export const readAnswersTask = defineTask({
  name: "readModelAnswers",
  input: z.object({
    /** The plan's schema, without calculated fields. */
    schema: json,
    conventions: typed<TextConventions>(),
    parts: shaped<PartAnswer[]>(z.array(z.looseObject({ text: z.string() }))),
    list: typed<RecordListSpec>().exactOptional(),
    /** Texts to look for the values in; absent: values are not checked against the text. */
    printed: z.object({ texts: z.array(z.string()), maxDoubts: count }).exactOptional(),
  }),
  output: shaped<ReadAnswers>(
    z.looseObject({
      data: bytes,
      faults,
      faultCount: count,
      values: z.string(),
      unread: z.array(z.string()),
      doubts: z.array(z.looseObject({})),
      limits: statedLimits,
    }),
  ),
});
