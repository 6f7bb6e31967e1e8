/**
 * The time that a run has for text recognition. It ends before the run's own, so that what was read by then can still
 * become a result.
 */
import { namePageRanges } from "../../engine/values/page-ranges.ts";
import type { StepRun } from "../runs/run-step.ts";
import type { UnreadPages } from "../runs/step-outcomes.ts";

/** Milliseconds that the steps after recognition have at least: the service's contract names them. */
const AFTER_RECOGNITION_MS = 45_000;
/** The same as a share of a shorter limit: 45 s of the usual 300 s. */
const AFTER_RECOGNITION_SHARE = 0.15;

/** Milliseconds before the end at which work that was cut off may fail: timers of processes are early by some. */
const CUT_OFF_TOLERANCE_MS = 1_000;

/** The time that is kept for the steps after recognition, in milliseconds. */
const timeAfterRecognition = ({ org }: Pick<StepRun, "org">): number =>
  Math.min(AFTER_RECOGNITION_MS, AFTER_RECOGNITION_SHARE * org.config.jobTimeoutSeconds * 1000);

/** The time after which no page is recognised, in milliseconds since 1970. */
export const recognitionDeadline = (context: Pick<StepRun, "org" | "deadline">): number =>
  context.deadline - timeAfterRecognition(context);

/** True when an error that is thrown now may be that of work that was cut off at `until`. */
export const isCutOff = ({ org }: Pick<StepRun, "org">, until: number): boolean =>
  org.engines.clock.now() >= until - CUT_OFF_TOLERANCE_MS;

/**
 * Pages that recognition was to read, and did not.
 * @param late there was no time for them @param failed the engine could not read them
 * @returns undefined for none
 */
export function unreadPages(
  context: Pick<StepRun, "org">,
  { late, failed }: { late: readonly number[]; failed: readonly number[] },
): UnreadPages | undefined {
  if (late.length + failed.length === 0) return undefined;
  const { jobTimeoutSeconds } = context.org.config;
  const seconds = Math.round(timeAfterRecognition(context) / 1000);
  const named = (pages: readonly number[]): string => namePageRanges(pages).replace("page", "Page");
  const were = (pages: readonly number[]): string => (pages.length === 1 ? "was" : "were");
  const sentences = [
    ...(late.length === 0
      ? []
      : [
          `${named(late)} ${were(late)} not recognised: text recognition stops ${seconds} seconds before the limit of ${jobTimeoutSeconds} seconds`,
        ]),
    ...(failed.length === 0 ? [] : [`${named(failed)} could not be recognised`]),
  ];
  return { count: new Set([...late, ...failed]).size, sentence: sentences.join("; ") };
}
