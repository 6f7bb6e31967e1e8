/** Lists that the other tools' names come from. */
import * as z from "zod";
import type { TemplateField } from "../../index.ts";
import type { Session } from "../context.ts";
import { failed } from "../failures.ts";
import { storedName, type Tool } from "./define-tool.ts";

/** Most entries of a list in an answer: one takes about 30 tokens of a model. */
const MAX_ENTRIES = 500;
/** Most options of a field in an answer, such as the countries of the world. */
const MAX_OPTIONS = 50;

const templatesInput = {
  name: storedName.optional().describe("A template whose fields are listed; without it, the templates are"),
};

const field = z.object({
  name: z.string(),
  type: z.string(),
  tooltip: z.string().nullable(),
  options: z.array(z.string()),
});

const templatesOutput = z.object({
  templates: z.array(z.object({ name: z.string(), revision: z.number(), contentType: z.string() })).optional(),
  fields: z.array(field).optional(),
  total: z.number().describe("All entries; the answer may have fewer"),
});

const shortField = ({ name, type, tooltip, options }: TemplateField): z.infer<typeof field> => ({
  name,
  type,
  tooltip,
  options: options.slice(0, MAX_OPTIONS),
});

const answer = (structuredContent: { total: number; [member: string]: unknown }) => ({
  content: [{ type: "text" as const, text: JSON.stringify(structuredContent) }],
  structuredContent,
});

/** Lists templates, or the fields of one. */
export const templatesTool = ({ client }: Session): Tool<typeof templatesInput> => ({
  name: "templates",
  title: "List templates and their fields",
  description: "Lists the templates that `fill` knows, or the fields of one: the names that values are given for.",
  input: templatesInput,
  output: templatesOutput,
  annotations: { readOnlyHint: true, openWorldHint: true },
  async run({ name }, { mcpReq: { signal } }) {
    if (name === undefined) {
      const all = await client.templates.list({ signal });
      const templates = all
        .slice(0, MAX_ENTRIES)
        .map(({ name: called, revision, contenttype }) => ({ name: called, revision, contentType: contenttype }));
      return answer({ templates, total: all.length });
    }
    const all = await client.templates.fields(name, { signal });
    if (all === undefined) return failed(`The fields of ${name} are still being detected; ask again in a moment`);
    return answer({ fields: all.slice(0, MAX_ENTRIES).map(shortField), total: all.length });
  },
});

const basesOutput = z.object({
  knowledgeBases: z.array(z.object({ caseId: z.number(), name: z.string() })),
  total: z.number().describe("All entries; the answer may have fewer"),
});

/** Lists knowledge bases. */
export const knowledgeBasesTool = ({ client }: Session): Tool<Record<string, never>> => ({
  name: "knowledge_bases",
  title: "List knowledge bases",
  description: "Lists the knowledge bases that `search` knows.",
  input: {},
  output: basesOutput,
  annotations: { readOnlyHint: true, openWorldHint: true },
  async run(_input, { mcpReq: { signal } }) {
    const all = await client.knowledgeBases.list({ signal });
    const knowledgeBases = all.slice(0, MAX_ENTRIES).map(({ id, name }) => ({ caseId: id, name }));
    return answer({ knowledgeBases, total: all.length });
  },
});
