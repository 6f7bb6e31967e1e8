import { ocrOf } from "../service/organizations/engines.ts";
import { pollRecognition } from "../service/recognition/async-recognition.ts";
import { runStep } from "../service/runs/run-step.ts";
import { defineStep } from "./define-step.ts";
import { loadSource, storeReading } from "./store-reading.ts";

/** Polls an asynchronous recognition once; the machine waits and calls the step again until it is complete. */
export const collect = defineStep(async (org, input) =>
  runStep(org, input, "collect", async (context) => {
    const { waiting } = input;
    const ocr = waiting === undefined ? null : ocrOf(context.org.engines, waiting.level);
    if (ocr === null || waiting === undefined) throw new TypeError("Nothing is being recognised elsewhere");
    const polled = await pollRecognition(context, ocr, waiting, () => loadSource(context));
    return "waiting" in polled ? { facts: { ...polled }, again: true } : storeReading(context, polled);
  }),
);
