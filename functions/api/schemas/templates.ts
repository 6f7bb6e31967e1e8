/** Templates on the wire: their names, their lists, their fields, and values that fill them. */
import * as z from "zod";
import { TEMPLATE_FIELD_TYPES } from "../../engine/templates/template.ts";
import {
  isTemplateName,
  TEMPLATE_NAME_DESCRIPTION,
  TEMPLATE_NAME_PATTERN,
} from "../../service/templates/template-records.ts";
import { integerParameter } from "./common.ts";

/** Name of a requested template; an invalid name is answered 404. */
export const templateParams = z.object({
  name: z.string().meta({ openapi: { type: "string", description: "Its name" } }),
});

const MAX_REVISION_NUMBER = 999_999;

/** Number of a revision in a query; without it the newest is meant. */
export const revisionParameter = () => integerParameter(1, MAX_REVISION_NUMBER).optional();

/** Name of a template to upload. */
export const newTemplateParams = z.object({
  name: z
    .string()
    .refine(isTemplateName, { error: `must have ${TEMPLATE_NAME_DESCRIPTION}` })
    .meta({
      openapi: {
        type: "string",
        pattern: TEMPLATE_NAME_PATTERN.source,
        description: `Its name: ${TEMPLATE_NAME_DESCRIPTION}`,
      },
    }),
});

const time = z.iso.datetime();
const texts = z.union([z.string(), z.array(z.string())]).nullable();

export const TemplateField = z
  .looseObject({
    templateName: z.string(),
    name: z.string(),
    type: z.enum(TEMPLATE_FIELD_TYPES),
    tooltip: z.string().nullable(),
    flags: z.array(z.string()),
    value: texts,
    defaultValue: texts,
    options: z.array(z.string()),
    script: z.string().nullable(),
    valueType: z.enum(["number", "date"]).nullable().optional(),
    get fields() {
      return z.array(TemplateField).optional().describe("The fields of a loop's items");
    },
  })
  .meta({ id: "TemplateField" });

export const Template = z
  .looseObject({
    name: z.string(),
    createdAt: time,
    updatedAt: time,
    contenttype: z.string(),
    organization: z.looseObject({ name: z.string() }),
    revision: z.int().min(1).describe("Number of the newest revision"),
  })
  .meta({ id: "Template" });

export const TemplateRevision = z
  .looseObject({ revision: z.int().min(1), createdAt: time, sizeBytes: z.int().min(1) })
  .meta({ id: "TemplateRevision" });

export const TemplateSchema = z
  .looseObject({ schema: z.looseObject({}), example: z.looseObject({}) })
  .meta({ id: "TemplateSchema" });

export const PicturePaths = z.record(z.string(), z.string());

/** Described only: bodies of a fill are read by the engine. */
export const FillBody = z.union([
  z
    .looseObject({ fields: z.record(z.string(), z.unknown()) })
    .describe('Values by field name; a picture is {"_ref": path, "width_mm"?, "height_mm"?}'),
  z.looseObject({ fromJob: z.string() }).describe("GUID of a job, whose result has the values"),
]);
