/** Which outside engines this release has, wherever it runs. */
import type { Engines } from "../functions/core/ports.ts";

export const engineStates = (): ReturnType<Engines["states"]> => ({
  ocr: { name: "OCR", on: false, detail: "not part of this release; documents are read by their text layer" },
  model: { name: "model", on: false, detail: "not part of this release; the offline extractor does the work" },
  payments: { name: "payments", on: false, detail: "not part of this release" },
});
