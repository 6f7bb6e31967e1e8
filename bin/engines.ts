/** States of a deployment's external engines. */
import type { EngineState, Engines } from "../functions/service/organizations/engines.ts";

type States = Engines["states"];

/** The state of the model when none is configured. */
export const NO_MODEL: EngineState = {
  name: "model",
  on: false,
  detail: "set OPENAI_API_KEY and LLM_MODEL_DEFAULT to turn it on; the offline extractor does the work",
};

/** The state of payments when none are configured. */
export const NO_PAYMENTS: EngineState = {
  name: "payments",
  on: false,
  detail: "set STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET and STRIPE_PRICE_IDS to turn them on",
};

/** @param ocr the state of text recognition, which differs between the cloud and one machine */
export const engineStates = (
  ocr: EngineState,
  model: EngineState = NO_MODEL,
  payments: EngineState = NO_PAYMENTS,
): States => {
  const states: ReturnType<States> = {
    ocr,
    model,
    payments,
  };
  return () => states;
};
