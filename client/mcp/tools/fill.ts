import type { CallToolResult } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { Filled, FillValues } from "../../index.ts";
import type { Json } from "../../json.ts";
import type { Session } from "../context.ts";
import { pathText } from "../document-input.ts";
import { failed } from "../failures.ts";
import { FileRefused } from "../local-files.ts";
import { filledUri } from "../uris.ts";
import { jobGuid, storedName, type Tool } from "./define-tool.ts";

/** Most bytes of a document inside an answer; clients refuse larger messages, and base64 adds a third. */
const MAX_EMBEDDED_BYTES = 5_000_000;
/** Highest number of a revision; the service has far fewer. */
const MAX_REVISION = 1_000_000;

const common = {
  template: storedName.describe("The template; `templates` lists them and their fields"),
  fields: z.record(z.string(), z.unknown()).optional().describe("Values by field name"),
  fromJob: jobGuid.optional().describe("Instead of fields: the job whose result has the values"),
  revision: z.int().min(1).max(MAX_REVISION).optional().describe("An earlier revision of the template"),
  flatten: z.boolean().optional().describe("Leaves plain values without form fields"),
  ignoreUnknown: z
    .boolean()
    .optional()
    .describe("Passes over values that the template has no field for; without it they are refused"),
  requireAll: z.boolean().optional().describe("Refuses values that leave fields of the template out"),
};

const toFile = {
  outputPath: pathText
    .optional()
    .describe(
      "A new file on the user's machine for the document; without it, the document is in the answer. No file is replaced",
    ),
};

const output = z.object({
  template: z.string(),
  contentType: z.string(),
  bytes: z.number().describe("Size of the filled document"),
  unknownFields: z
    .array(z.string())
    .describe("Values that the template has no field for: they are not in the document"),
  restrictionsDropped: z.boolean().describe("True when restrictions of the template's owner are gone"),
  path: z.string().optional().describe("The written file"),
});
type Output = z.infer<typeof output>;

/** Endings of names by media type. */
const ENDINGS: Record<string, string> = {
  "application/pdf": ".pdf",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": ".pptx",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
};

/** @throws FileRefused for no values, or for both kinds */
function valuesOf(fields: Record<string, unknown> | undefined, fromJob: string | undefined): FillValues {
  if ((fields === undefined) === (fromJob === undefined)) throw new FileRefused("Give `fields` or `fromJob`");
  return fromJob === undefined ? { fields: fields as { [name: string]: Json } } : { fromJob };
}

function answer(filled: Filled, template: string, path: string | undefined): CallToolResult {
  const { bytes, unknownFields, restrictionsDropped } = filled;
  const contentType = filled.contentType.split(";", 1)[0] ?? "";
  const described: Output = {
    template,
    contentType,
    bytes: bytes.length,
    unknownFields,
    restrictionsDropped,
    ...(path === undefined ? {} : { path }),
  };
  const warning =
    unknownFields.length === 0 ? "" : ` The template has no field for ${unknownFields.join(", ")}: they are NOT in it.`;
  const text = `The template ${template} is filled${path === undefined ? "" : `: ${path}`}.${warning}\n${JSON.stringify(described)}`;
  const content: CallToolResult["content"] = [{ type: "text", text }];
  if (path === undefined) {
    const uri = filledUri(template, `${template}${ENDINGS[contentType] ?? ""}`);
    const blob = Buffer.from(bytes).toString("base64");
    content.push({ type: "resource", resource: { uri, mimeType: contentType, blob } });
  }
  return { content, structuredContent: described };
}

/** Fills a template. */
export const fillTool = ({ client, files }: Session): Tool<typeof common & typeof toFile> => ({
  name: "fill",
  title: "Fill a template",
  description: `Fills a template (a PDF form, or a document of Word, PowerPoint or Excel with tags) with values, or with the result of a job, and answers the document.${files === undefined ? "" : " With `outputPath` it is written to a new local file."}`,
  // Over HTTP nothing is written, and the member is refused.
  input: files === undefined ? (common as typeof common & typeof toFile) : { ...common, ...toFile },
  output,
  annotations: {
    readOnlyHint: files === undefined,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: true,
  },
  async run(
    { template, fields, fromJob, revision, flatten, ignoreUnknown, requireAll, outputPath },
    { mcpReq: { signal } },
  ) {
    const values = valuesOf(fields, fromJob);
    // Refused before the work, not after it.
    if (outputPath !== undefined) await files?.newPath(outputPath);
    const missing = requireAll === true ? "error" : undefined;
    const filled = await client.templates.fill(template, values, { revision, flatten, ignoreUnknown, missing, signal });
    if (outputPath !== undefined && files !== undefined) {
      return answer(filled, template, await files.create(outputPath, filled.bytes));
    }
    if (filled.bytes.length > MAX_EMBEDDED_BYTES) {
      const place = files === undefined ? "fetch it with POST /template/fill of the API" : "give `outputPath`";
      return failed(
        `The filled document has ${filled.bytes.length} bytes, and an answer takes up to ${MAX_EMBEDDED_BYTES}; ${place}`,
      );
    }
    return answer(filled, template, undefined);
  },
});
