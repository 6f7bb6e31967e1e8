/** The files of forms that operations made. */
import * as z from "zod";
import { PDF } from "../ports/media-types.ts";
import { type FormFile, findFormFile } from "../service/operations/form-files.ts";
import type { Reply } from "./http/reply.ts";
import { type Authenticated, type ReplyDocumentation, route } from "./http/route.ts";
import { guidOf } from "./schemas/common.ts";
import { FieldDefinitions } from "./schemas/forms.ts";

const TAG = "Operations";
const operationParams = z.object({ operationGuid: guidOf("The GUID of the operation that made the form") });

interface FormFileRoute {
  file: FormFile;
  path: string;
  summary: string;
  description: string;
  reply: ReplyDocumentation;
}

const formFileRoute = ({ file, path, summary, description, reply }: FormFileRoute) =>
  route({
    method: "GET",
    path,
    scope: "read",
    tag: TAG,
    summary,
    description,
    params: operationParams,
    errors: [404],
    replies: { 200: reply },
    async run({ params }, { org }: Authenticated): Promise<Reply> {
      const { blob, fileName } = await findFormFile(org, params.operationGuid, file);
      return { kind: "blob", status: 200, blob, fileName };
    },
  });

export const form = formFileRoute({
  file: "form",
  path: "/job/result/{operationGuid}/pdf-acroform",
  summary: "The form that an operation made",
  description: "Of `pdf-acroform` and of `pdf-acroform-apply`.",
  reply: { description: "The form", contentTypes: [PDF] },
});

export const fieldDefinitions = formFileRoute({
  file: "definitions",
  path: "/job/result/{operationGuid}/pdf-acroform-field-definitions",
  summary: "The definitions of a form's fields",
  description: "To be reviewed, edited and sent back by POST /job/{parentJobGuid}/pdf-acroform/apply.",
  reply: { description: "The definitions", schema: FieldDefinitions },
});

export const formFileRoutes = [form, fieldDefinitions];
