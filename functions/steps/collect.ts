import { pollRecognition } from "../service/recognition/async-recognition.ts";
import { runStep } from "../service/runs/run-step.ts";
import { defineStep } from "./define-step.ts";
import { loadSource, storeReading } from "./store-reading.ts";

/** Polls an asynchronous recognition once; the machine waits and calls the step again until it is complete. */
export const collect = defineStep(async (org, input) =>
  runStep(org, input, "collect", async (context) => {
    const { ocr } = org.engines;
    if (ocr === null || input.waiting === undefined) throw new TypeError("Nothing is being recognised elsewhere");
    const polled = await pollRecognition(context, ocr, input.waiting, () => loadSource(context));
    return "waiting" in polled ? { facts: { ...polled }, again: true } : storeReading(context, polled);
  }),
);
