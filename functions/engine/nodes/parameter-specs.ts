/** Parameters of all operations, in a file of their own, so that checks do not import the operations. */

import { MAX_ANSWER_TOKENS, MIN_ANSWER_TOKENS } from "../../ports/llm.ts";
import { OCR_MODES } from "../../ports/ocr.ts";
import { FIELD_NAME_STYLES } from "../forms/field-definition.ts";
import type { OPERATION_TYPES } from "./operation-types.ts";
import {
  booleanKind,
  findParameterFaults,
  integerFrom,
  jsonList,
  jsonObject,
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
/** Confidence from which a place to write becomes a field, and most fields of a page: the values in use. */
const DEFAULT_FIELD_CONFIDENCE = 0.35;
const DEFAULT_PAGE_FIELDS = 300;
/** Most fields of a page that can be asked for: those of a whole form. The densest known page has about 400. */
const MAX_PAGE_FIELDS = 10_000;
const MAX_GUID_CHARACTERS = 128;
export const SOURCE_MAPS = ["preserve", "compress", "none"] as const;

const PAGE_FIELDS: ParameterSpec = {
  names: ["maxFieldsPerPage", "max_fields_per_page"],
  kind: integerFrom(1, MAX_PAGE_FIELDS),
};

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
  "pdf-acroform": [
    { names: ["ocr"], kind: oneOf(...OCR_MODES), defaultValue: "PREMIUM" },
    {
      names: ["fieldNameStyle", "field_name_style"],
      kind: oneOf(...FIELD_NAME_STYLES),
      defaultValue: FIELD_NAME_STYLES[0],
    },
    { names: ["minConfidence", "min_confidence"], kind: numberUpTo(1), defaultValue: DEFAULT_FIELD_CONFIDENCE },
    { ...PAGE_FIELDS, defaultValue: DEFAULT_PAGE_FIELDS },
    { names: ["pageRange", "page_range"], kind: pageListKind, defaultValue: null },
    { names: ["forceOcr", "force_ocr"], kind: booleanKind, defaultValue: false },
    { names: ["values"], kind: jsonObject, defaultValue: null },
  ],
  "pdf-acroform-apply": [
    { names: ["fieldDefinitions", "field_definitions"], kind: jsonList, defaultValue: null },
    {
      names: ["sourceOperationGuid", "source_operation_guid"],
      kind: textUpTo(MAX_GUID_CHARACTERS),
      defaultValue: null,
    },
    { names: ["minConfidence", "min_confidence"], kind: numberUpTo(1), defaultValue: 0 },
    { ...PAGE_FIELDS, defaultValue: DEFAULT_PAGE_FIELDS },
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
