/** The parameters of every operation, apart from what it does: who only checks them carries none of that. */

import type { OPERATION_TYPES } from "./operation-types.ts";
import {
  boolean,
  choice,
  findParameterFaults,
  number,
  type ParameterSpec,
  pages,
  readParameters,
  text,
  texts,
} from "./parameter-readers.ts";

type OperationType = (typeof OPERATION_TYPES)[number];

const LONGEST_TASK = 20_000;
const LONGEST_SEARCH = 2_000;
const MOST_TOKENS = 32_000;
const HOTTEST = 2;
const MOST_SELECTED = 100;

const USUALLY_SELECTED = 5;
const USUAL_THRESHOLD = 0.3;
export const SOURCE_MAPS = ["preserve", "compress", "none"] as const;

const SPECS: Readonly<Record<OperationType, readonly ParameterSpec[]>> = {
  "error-analysis": [
    { names: ["focus_areas", "focusAreas"], read: texts(50, 200), otherwise: [] },
    { names: ["confidence_threshold", "confidenceThreshold"], read: number(0, 1), otherwise: USUAL_THRESHOLD },
    { names: ["detailed_suggestions", "detailedSuggestions"], read: boolean, otherwise: false },
  ],
  "generative-task": [
    { names: ["prompt"], read: text(LONGEST_TASK) },
    { names: ["temperature"], read: number(0, HOTTEST), otherwise: null },
    { names: ["maxTokens", "max_tokens"], read: number(1, MOST_TOKENS, { whole: true }), otherwise: null },
  ],
  "image-select": [
    { names: ["prompt"], read: text(LONGEST_SEARCH) },
    { names: ["topK", "top_k"], read: number(1, MOST_SELECTED, { whole: true }), otherwise: USUALLY_SELECTED },
    { names: ["matchMode", "match_mode"], read: choice("all", "any"), otherwise: "any" },
    { names: ["pageRange", "page_range"], read: pages, otherwise: null },
    { names: ["useVision", "use_vision"], read: boolean, otherwise: false },
  ],
  "ocr-correct": [
    { names: ["mode"], read: choice("correction"), otherwise: "correction" },
    { names: ["scope"], read: choice("pagewise"), otherwise: "pagewise" },
    { names: ["sourceMap", "source_map"], read: choice(...SOURCE_MAPS), otherwise: "preserve" },
  ],
};

/** Reads the parameters of one operation. @throws BadRequest naming each fault below `at` */
export const readerOf =
  (type: OperationType) =>
  (given: Readonly<Record<string, unknown>>, at: string): ReturnType<typeof readParameters> =>
    readParameters(given, SPECS[type], at);

/** What is wrong with parameters of which some come later, by the names as they were given. */
export function operationFaults(
  type: string,
  given: Readonly<Record<string, unknown>>,
  comesLater: (name: string) => boolean,
): { name: string; message: string }[] {
  const specs = Object.hasOwn(SPECS, type) ? SPECS[type as OperationType] : [];
  return findParameterFaults(given, specs, comesLater);
}
