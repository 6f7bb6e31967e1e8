/** Filling of templates, and the pictures for it. */
import * as z from "zod";
import { extensionOf, OFFICE_TYPES, PDF } from "../ports/media-types.ts";
import { fillTemplate } from "../service/templates/fill-template.ts";
import { storeFilled } from "../service/templates/filled-files.ts";
import {
  MAX_KEY_CHARS,
  MAX_PICTURE_BYTES,
  MAX_PICTURES,
  MAX_PICTURES_BYTES,
  storePictures,
} from "../service/templates/template-pictures.ts";
import { headerList } from "./http/header-list.ts";
import { ok } from "./http/reply.ts";
import { route } from "./http/route.ts";
import { enumeration, flagParameter } from "./schemas/common.ts";
import { FillBody, PicturePaths, revisionParameter, templateParams } from "./schemas/templates.ts";

const TAG = "Templates";
/** Most bytes of a fill's body: the contract's 15 MB, as of any request. A process of the engine parses it. */
const MAX_FILL_BYTES = 15_000_000;
/** Names the values that the template has no field for. */
const UNKNOWN_FIELDS_HEADER = "X-Sheaf-Unknown-Fields";
/** Tells that restrictions of the template's owner are gone. */
const RESTRICTIONS_HEADER = "X-Sheaf-Restrictions";

const count = (number: number): string => number.toLocaleString("en-US");

export const images = route({
  method: "POST",
  path: "/template/{name}/images",
  scope: "write",
  tag: TAG,
  summary: "Upload pictures for a template",
  description:
    'A value `{"_ref": path}` puts one into a field. The key of a picture is its part\'s file name; another one of that name ' +
    `takes its place. PNG or JPEG, each of at most ${count(MAX_PICTURE_BYTES)} bytes; a template keeps ${MAX_PICTURES} of them, ` +
    `${count(MAX_PICTURES_BYTES)} bytes in all. A file name has at most ${MAX_KEY_CHARS} characters.`,
  params: templateParams,
  body: {
    kind: "multipart",
    parts: { images: { description: "A picture; the part may be repeated", required: true, file: true } },
  },
  errors: [400, 404, 409, 413, 415],
  replies: {
    200: { description: "The path of each, by key", schema: PicturePaths, example: { "logo.png": "images/logo.png" } },
  },
  async run({ params: { name }, multipart }, { org }) {
    const pictures = multipart.files("images").map(({ sentName, bytes }) => ({ key: sentName ?? "", bytes }));
    return ok(await storePictures(org, name, pictures));
  },
});

export const fill = route({
  method: "POST",
  path: "/template/fill/{name}",
  scope: "write",
  tag: TAG,
  summary: "Fill a template",
  description:
    "Any subset of the fields may be sent; the others stay as they are (PDF) or print nothing (Office), unless `missing=error` makes an absent one a 400. " +
    "Nested objects stand for names with full stops. With `fromJob` the values are the result of that job. A value " +
    "without a field is a 400 that names it, unless `ignoreUnknown` is true. `flatten` makes the values part of a PDF's pages; it takes controls and form fields out of a Word document, and changes nothing in other Office documents. The answer has the " +
    "template's format. `revision` " +
    "takes an earlier one than the newest.",
  params: templateParams,
  query: z.object({
    flatten: flagParameter().optional(),
    missing: enumeration(["ignore", "error"]).optional(),
    ignoreUnknown: flagParameter().optional(),
    revision: revisionParameter(),
  }),
  body: {
    kind: "json-bytes",
    schema: FillBody,
    examples: {
      values: { fields: { applicant: { name: "Ada Lovelace" }, agreed: true } },
      job: { fromJob: "019aa5c0-7d1e-7cc0-8a55-5f2f5a0f9d11" },
    },
  },
  bodyLimit: MAX_FILL_BYTES,
  errors: [400, 404, 409, 422],
  replies: {
    200: {
      description: "The filled document",
      contentTypes: [PDF, ...OFFICE_TYPES],
      headers: {
        [UNKNOWN_FIELDS_HEADER]: {
          description:
            "Names of values that the template has no field for, percent-encoded and joined by commas; cut after 4,000 characters",
        },
        [RESTRICTIONS_HEADER]: {
          description: "`dropped` when restrictions of the template's owner are gone from the document",
          values: ["dropped"],
        },
      },
    },
  },
  async run({ params: { name }, query, body }, { org }) {
    const { bytes, contentType, unknownFields, restrictionsDropped } = await fillTemplate(org, name, body, {
      revision: query.revision,
      flatten: query.flatten ?? false,
      missingIsError: query.missing === "error",
      ignoreUnknown: query.ignoreUnknown ?? false,
    });
    const headers = {
      ...(unknownFields.length > 0 ? { [UNKNOWN_FIELDS_HEADER]: headerList(unknownFields) } : {}),
      ...(restrictionsDropped ? { [RESTRICTIONS_HEADER]: "dropped" } : {}),
    };
    const fileName = `${name}.${extensionOf(contentType)}`;
    if (bytes.length <= org.config.inlineAnswerBytes) {
      return { kind: "bytes", status: 200, body: bytes, contentType, fileName, headers };
    }
    const key = await storeFilled(org, bytes, contentType);
    return { kind: "blob", status: 200, blob: { key, contentType }, fileName, headers };
  },
});

export const templateFillRoutes = [images, fill];
