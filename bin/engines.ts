import type { EngineState, Engines } from "../functions/service/organizations/engines.ts";

type States = Engines["states"];

/** The state of the model when none is configured. */
export const NO_MODEL: EngineState = {
  name: "model",
  on: false,
  detail: "set OPENAI_API_KEY and LLM_MODEL_DEFAULT to turn it on; the offline extractor does the work",
};

/** @param ocr the state of text recognition, which differs between the cloud and one machine */
export const engineStates = (ocr: EngineState, model: EngineState = NO_MODEL): States => {
  const states: ReturnType<States> = {
    ocr,
    model,
    payments: { name: "payments", on: false, detail: "not part of this release" },
  };
  return () => states;
};
