import { pollRecognition } from "../service/recognition/async-recognition.ts";
import { runStep } from "../service/runs/run-step.ts";
import { keepReading, loadSource } from "./reading.ts";
import { defineStep } from "./step.ts";

/** One look at a recognition that goes on elsewhere; the machine waits and calls it again until it is complete. */
export const collect = defineStep(async (org, input) =>
  runStep(org, input, "collect", async (context) => {
    const { ocr } = org.engines;
    if (ocr === null || input.waiting === undefined) throw new TypeError("Nothing is being recognised elsewhere");
    const seen = await pollRecognition(context, ocr, input.waiting, () => loadSource(context));
    return "waiting" in seen ? { facts: { ...seen }, again: true } : keepReading(context, seen);
  }),
);
