/** Parameters of all operations, in a file of their own, so that checks do not import the operations. */

import { MAX_ANSWER_TOKENS, MIN_ANSWER_TOKENS } from "../../ports/llm.ts";
import type { OPERATION_TYPES } from "./operation-types.ts";
import {
  booleanReader,
  findParameterFaults,
  numberFrom,
  oneOf,
  type ParameterSpec,
  pageList,
  readParameters,
  textList,
  textUpTo,
} from "./parameter-readers.ts";

type OperationType = (typeof OPERATION_TYPES)[number];

const MAX_TASK_CHARACTERS = 20_000;
const MAX_SEARCH_CHARACTERS = 2_000;
const MAX_TEMPERATURE = 2;
const MAX_SELECTED_FIGURES = 100;

const DEFAULT_SELECTED_FIGURES = 5;
const DEFAULT_CONFIDENCE_THRESHOLD = 0.3;
export const SOURCE_MAPS = ["preserve", "compress", "none"] as const;

const PARAMETER_SPECS: Readonly<Record<OperationType, readonly ParameterSpec[]>> = {
  "error-analysis": [
    { names: ["focus_areas", "focusAreas"], read: textList(50, 200), defaultValue: [] },
    {
      names: ["confidence_threshold", "confidenceThreshold"],
      read: numberFrom(0, 1),
      defaultValue: DEFAULT_CONFIDENCE_THRESHOLD,
    },
    { names: ["detailed_suggestions", "detailedSuggestions"], read: booleanReader, defaultValue: false },
  ],
  "generative-task": [
    { names: ["prompt"], read: textUpTo(MAX_TASK_CHARACTERS) },
    { names: ["temperature"], read: numberFrom(0, MAX_TEMPERATURE), defaultValue: null },
    {
      names: ["maxTokens", "max_tokens"],
      read: numberFrom(MIN_ANSWER_TOKENS, MAX_ANSWER_TOKENS, { whole: true }),
      defaultValue: null,
    },
  ],
  "image-select": [
    { names: ["prompt"], read: textUpTo(MAX_SEARCH_CHARACTERS) },
    {
      names: ["topK", "top_k"],
      read: numberFrom(1, MAX_SELECTED_FIGURES, { whole: true }),
      defaultValue: DEFAULT_SELECTED_FIGURES,
    },
    { names: ["matchMode", "match_mode"], read: oneOf("all", "any"), defaultValue: "any" },
    { names: ["pageRange", "page_range"], read: pageList, defaultValue: null },
    { names: ["useVision", "use_vision"], read: booleanReader, defaultValue: false },
  ],
  "ocr-correct": [
    { names: ["mode"], read: oneOf("correction"), defaultValue: "correction" },
    { names: ["scope"], read: oneOf("pagewise"), defaultValue: "pagewise" },
    { names: ["sourceMap", "source_map"], read: oneOf(...SOURCE_MAPS), defaultValue: "preserve" },
  ],
};

/** Reads the parameters of one operation. @throws BadRequest naming each fault below `at` */
export const parameterReaderOf =
  (type: OperationType) =>
  (given: Readonly<Record<string, unknown>>, at: string): ReturnType<typeof readParameters> =>
    readParameters(given, PARAMETER_SPECS[type], at);

/** Finds faults of an operation's parameters, of which some are set later, by the given names. */
export function findOperationFaults(
  type: string,
  given: Readonly<Record<string, unknown>>,
  comesLater: (name: string) => boolean,
): { name: string; message: string }[] {
  const specs = Object.hasOwn(PARAMETER_SPECS, type) ? PARAMETER_SPECS[type as OperationType] : [];
  return findParameterFaults(given, specs, comesLater);
}
