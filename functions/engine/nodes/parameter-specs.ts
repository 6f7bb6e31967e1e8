/** Parameters of all operations, in a file of their own, so that checks do not import the operations. */

import { MAX_ANSWER_TOKENS, MIN_ANSWER_TOKENS } from "../../ports/llm.ts";
import type { OPERATION_TYPES } from "./operation-types.ts";
import {
  booleanKind,
  findParameterFaults,
  integerFrom,
  numberUpTo,
  oneOf,
  type ParameterSpec,
  pageListKind,
  parametersSchema,
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
    { names: ["focus_areas", "focusAreas"], kind: textList(50, 200), defaultValue: [] },
    {
      names: ["confidence_threshold", "confidenceThreshold"],
      kind: numberUpTo(1),
      defaultValue: DEFAULT_CONFIDENCE_THRESHOLD,
    },
    { names: ["detailed_suggestions", "detailedSuggestions"], kind: booleanKind, defaultValue: false },
  ],
  "generative-task": [
    { names: ["prompt"], kind: textUpTo(MAX_TASK_CHARACTERS) },
    { names: ["temperature"], kind: numberUpTo(MAX_TEMPERATURE), defaultValue: null },
    {
      names: ["maxTokens", "max_tokens"],
      kind: integerFrom(MIN_ANSWER_TOKENS, MAX_ANSWER_TOKENS),
      defaultValue: null,
    },
  ],
  "image-select": [
    { names: ["prompt"], kind: textUpTo(MAX_SEARCH_CHARACTERS) },
    {
      names: ["topK", "top_k"],
      kind: integerFrom(1, MAX_SELECTED_FIGURES),
      defaultValue: DEFAULT_SELECTED_FIGURES,
    },
    { names: ["matchMode", "match_mode"], kind: oneOf("all", "any"), defaultValue: "any" },
    { names: ["pageRange", "page_range"], kind: pageListKind, defaultValue: null },
    { names: ["useVision", "use_vision"], kind: booleanKind, defaultValue: false },
  ],
  "ocr-correct": [
    { names: ["mode"], kind: oneOf("correction"), defaultValue: "correction" },
    { names: ["scope"], kind: oneOf("pagewise"), defaultValue: "pagewise" },
    { names: ["sourceMap", "source_map"], kind: oneOf(...SOURCE_MAPS), defaultValue: "preserve" },
  ],
};

/** Reads the parameters of one operation. @throws BadRequest naming each fault below `at` */
export const parameterReaderOf =
  (type: OperationType) =>
  (given: Readonly<Record<string, unknown>>, at: string): ReturnType<typeof readParameters> =>
    readParameters(given, PARAMETER_SPECS[type], at);

/** JSON Schema of the parameters of one operation. */
export const parametersSchemaOf = (type: OperationType): ReturnType<typeof parametersSchema> =>
  parametersSchema(PARAMETER_SPECS[type]);

/** Finds faults of an operation's parameters, of which some are set later, by the given names. */
export function findOperationFaults(
  type: string,
  given: Readonly<Record<string, unknown>>,
  comesLater: (name: string) => boolean,
): { name: string; message: string }[] {
  const specs = Object.hasOwn(PARAMETER_SPECS, type) ? PARAMETER_SPECS[type as OperationType] : [];
  return findParameterFaults(given, specs, comesLater);
}
