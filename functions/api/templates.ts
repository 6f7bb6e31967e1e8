/** Templates: forms that are uploaded once and filled as often as one likes. */
import * as z from "zod";
import { PDF } from "../ports/media-types.ts";
import type { Organization } from "../service/organizations/organization.ts";
import { findFields, findSchema } from "../service/templates/template-facts.ts";
import type { TemplateEntry } from "../service/templates/template-records.ts";
import {
  deleteTemplate,
  listRevisions,
  listTemplates,
  MAX_REVISIONS,
  MAX_TEMPLATES,
  uploadTemplate,
} from "../service/templates/templates.ts";
import { json, ok } from "./http/reply.ts";
import { route } from "./http/route.ts";
import { flagParameter } from "./schemas/common.ts";
import {
  newTemplateParams,
  revisionParameter,
  Template,
  TemplateField,
  TemplateRevision,
  TemplateSchema,
  templateParams,
} from "./schemas/templates.ts";
import { documentPart, UPLOAD_ERRORS } from "./submission.ts";
import { templateFillRoutes } from "./template-fills.ts";

const TAG = "Templates";
/** Seconds until detection has usually ended. */
const DETECTION_SECONDS = 1;

const templateReply = (org: Organization, { name, createdAt, updatedAt, contentType, revision }: TemplateEntry) => ({
  name,
  createdAt,
  updatedAt,
  contenttype: contentType,
  organization: { name: String(org.id) },
  revision,
});

const FIELD_EXAMPLE = {
  templateName: "application",
  name: "applicant.name",
  type: "text",
  tooltip: "Full name",
  flags: ["required"],
  value: null,
  defaultValue: null,
  options: [],
  optionLabels: [],
  script: null,
  maxLength: 40,
  dateFormat: null,
  fields: [],
  valueType: null,
};
const LOOP_EXAMPLE = {
  ...FIELD_EXAMPLE,
  name: "items",
  type: "loop",
  tooltip: null,
  flags: [],
  maxLength: null,
  fields: [{ ...FIELD_EXAMPLE, name: "price", tooltip: null, flags: [], maxLength: null, valueType: "number" }],
};

export const upload = route({
  method: "POST",
  path: "/template/{name}",
  scope: "write",
  weight: 2,
  tag: TAG,
  summary: "Upload a template",
  description:
    "A PDF with a form, or a document or template of Word, PowerPoint or Excel with tags such as {name} (docx, dotx, pptx, potx, " +
    "xlsx, xltx). The fields of an Office file are the answer, and a fault of a tag is a 422 that names tag and place; macros are " +
    "refused. The fields of a PDF are detected afterwards: the answer's list is empty, and GET /template/metadata/{name} has " +
    "them a moment later. 409 when the name is taken, unless `replace` is true: then the file is the template's next revision, " +
    "and the earlier ones stay. " +
    `At most ${MAX_TEMPLATES} templates, and ${MAX_REVISIONS} revisions of each.`,
  idempotent: true,
  params: newTemplateParams,
  query: z.object({ replace: flagParameter().optional() }),
  body: { kind: "multipart", parts: { document: documentPart } },
  errors: [...UPLOAD_ERRORS, 409],
  replies: {
    200: {
      description: "The fields known so far",
      makes: "template",
      schema: z.array(TemplateField),
      example: [],
    },
  },
  async run({ params: { name }, query, multipart, newGuid }, { org }) {
    const file = multipart.document();
    const entry = await uploadTemplate(org, { name, guid: newGuid, file, replace: query.replace ?? false });
    const blob = entry.contentType === PDF ? undefined : await findFields(org, name, entry.revision);
    return blob === undefined ? ok([]) : { kind: "blob", status: 200, blob };
  },
});

export const list = route({
  method: "GET",
  path: "/template/list",
  scope: "read",
  tag: TAG,
  summary: "The templates, by name",
  replies: {
    200: {
      description: "All of them",
      schema: z.array(Template),
      example: [
        {
          name: "application",
          createdAt: "2026-01-31T10:00:00.000Z",
          updatedAt: "2026-01-31T10:00:00.000Z",
          contenttype: PDF,
          organization: { name: "1" },
          revision: 1,
        },
      ],
    },
  },
  async run(_input, { org }) {
    return ok((await listTemplates(org)).map((entry) => templateReply(org, entry)));
  },
});

export const metadata = route({
  method: "GET",
  path: "/template/metadata/{name}",
  scope: "read",
  tag: TAG,
  summary: "A template's fields",
  description:
    "In the form's order. A loop of an Office template has the fields of its items in `fields`, named relative to the item; " +
    "`valueType` tells a number or a date by the tag's format.  `options` has the values of a list or of a button's states, and `optionLabels` the text that is " +
    "shown for each. `script` is the field's JavaScript, which is never run. 422 when the file turned out to be no form that " +
    "can be filled.",
  params: templateParams,
  query: z.object({ revision: revisionParameter() }),
  errors: [400, 404, 422],
  replies: {
    200: { description: "The fields", schema: z.array(TemplateField), example: [FIELD_EXAMPLE, LOOP_EXAMPLE] },
    202: {
      description: "Detection is under way; `Retry-After` says when to ask again",
      schema: z.array(TemplateField).max(0),
      example: [],
    },
  },
  async run({ params: { name }, query: { revision } }, { org }) {
    const blob = await findFields(org, name, revision);
    if (blob === undefined) return json(202, [], { "Retry-After": String(DETECTION_SECONDS) });
    return { kind: "blob", status: 200, blob };
  },
});

export const remove = route({
  method: "DELETE",
  path: "/template/{name}",
  scope: "write",
  tag: TAG,
  summary: "Delete a template",
  description: "With all its revisions and pictures. Its name is free at once.",
  params: templateParams,
  errors: [404, 409],
  replies: { 204: { description: "It is gone" } },
  async run({ params: { name } }, { org }) {
    await deleteTemplate(org, name);
    return { kind: "empty" };
  },
});

export const schema = route({
  method: "GET",
  path: "/template/schema/{name}",
  scope: "read",
  tag: TAG,
  summary: "A JSON Schema of a template's fields",
  description:
    "Process a document with `schema`, and fill the template with `fromJob`. `example` fills the template as it is. Loops " +
    "are lists of objects. Buttons, signatures and pictures are left out.",
  params: templateParams,
  query: z.object({ revision: revisionParameter() }),
  errors: [400, 404, 422],
  replies: {
    200: {
      description: "The schema, and fields that fill the template",
      schema: TemplateSchema,
      example: {
        schema: { type: "object", properties: { name: { type: "string", description: "Full name" } } },
        example: { name: "Example" },
      },
    },
  },
  async run({ params: { name }, query: { revision } }, { org }) {
    return { kind: "blob", status: 200, blob: await findSchema(org, name, revision) };
  },
});

export const revisions = route({
  method: "GET",
  path: "/template/{name}/revisions",
  scope: "read",
  tag: TAG,
  summary: "A template's revisions, newest first",
  params: templateParams,
  errors: [404],
  replies: {
    200: {
      description: "All of them",
      schema: z.array(TemplateRevision),
      example: [{ revision: 1, createdAt: "2026-01-31T10:00:00.000Z", sizeBytes: 48_211 }],
    },
  },
  async run({ params: { name } }, { org }) {
    const all = await listRevisions(org, name);
    return ok(all.map(({ revision, createdAt, sizeBytes }) => ({ revision, createdAt, sizeBytes })));
  },
});

export const templateRoutes = [upload, list, metadata, remove, ...templateFillRoutes, schema, revisions];
