/** Definitions of form fields on the wire. */
import * as z from "zod";
import { FIELD_SOURCES, FIELD_TYPES, REVIEW_STATUSES } from "../../engine/forms/field-definition.ts";
import {
  MAX_COMB_CELLS,
  MAX_DEFINITIONS,
  MAX_LABEL_CHARACTERS,
  MAX_NAME_CHARACTERS,
  MAX_OPTIONS,
} from "../../engine/forms/read-definitions.ts";

const share = (description: string) => z.number().min(0).max(1).meta({ description });

const EntryBox = z
  .looseObject({ left: share("Left edge"), top: share("Top"), right: share("Right edge"), bottom: share("Bottom") })
  .meta({ description: "In shares of the page as shown, from its top left corner; it must have an area" });

const members = {
  id: z.string().max(MAX_NAME_CHARACTERS),
  pageNumber: z.int().min(1),
  fieldName: z.string().min(1).max(MAX_NAME_CHARACTERS),
  fieldType: z.enum(FIELD_TYPES),
  label: z.string().max(MAX_LABEL_CHARACTERS),
  entryBbox: EntryBox,
  confidence: share("How sure the detection is"),
  required: z.boolean(),
  options: z
    .array(z.string().max(MAX_LABEL_CHARACTERS))
    .max(MAX_OPTIONS)
    .meta({ description: "The choices of a dropdown; of a radio button its own" }),
  reviewStatus: z.enum(REVIEW_STATUSES),
  source: z
    .enum(FIELD_SOURCES)
    .meta({ description: "What on the page tells the place; `widget`: a field of the document" }),
  group: z
    .string()
    .max(MAX_NAME_CHARACTERS)
    .optional()
    .meta({ description: "The same for the buttons of one question" }),
  comb: z.int().min(1).max(MAX_COMB_CELLS).optional().meta({ description: "Cells for single characters" }),
};

export const FieldDefinitions = z
  .looseObject({
    version: z.int(),
    fieldDefinitions: z.array(z.looseObject(members)),
    pages: z.array(
      z.looseObject({ pageNumber: z.int().min(1), width: z.number(), height: z.number(), unit: z.literal("point") }),
    ),
  })
  .meta({ id: "FieldDefinitions" });

const SentDefinition = z.looseObject({
  ...members,
  id: members.id.optional(),
  label: members.label.optional(),
  confidence: members.confidence.optional(),
  required: members.required.optional(),
  options: members.options.optional(),
  reviewStatus: members.reviewStatus.optional(),
  source: members.source.optional(),
});

/** Describes the body of a request to apply definitions, which a process of the engine reads. */
export const ApplyBody = z.looseObject({
  fieldDefinitions: z.array(SentDefinition).max(MAX_DEFINITIONS),
  sourceOperationGuid: z
    .string()
    .optional()
    .meta({ description: "The operation that found the definitions, which must be one on this job" }),
  minConfidence: share("Definitions that nobody has reviewed need at least this confidence; default 0").optional(),
  maxFieldsPerPage: z.int().min(1).max(10_000).optional().meta({ description: "Default 300" }),
});
