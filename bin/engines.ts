/** Which outside engines a deployment has. */
import type { EngineState, Engines } from "../functions/core/ports.ts";

type States = Engines["states"];

/** @param ocr how text is recognised, wherever the service runs */
export const engineStates = (ocr: EngineState): States => {
  const states: ReturnType<States> = {
    ocr,
    model: { name: "model", on: false, detail: "not part of this release; the offline extractor does the work" },
    payments: { name: "payments", on: false, detail: "not part of this release" },
  };
  return () => states;
};
