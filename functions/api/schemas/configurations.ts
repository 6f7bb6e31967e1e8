/** Saved configurations on the wire: a command as it is sent, as it is kept and shown, and under what name. */
import * as z from "zod";
import { BadRequest } from "../../ports/errors.ts";
import { isConfigurationName, NAME_PATTERN, type StoredCommand } from "../../service/configurations/configurations.ts";
import { BatchCommand, LLM, MODES, OCR } from "./commands.ts";
import { ToolsAsSent } from "./tools.ts";

const NAMES =
  "1 to 128 characters, none of / \\ ? # % and no control characters; no blanks at its ends, and not . or ..";

/** Of a configuration that is asked for: what cannot be a name is not found. */
export const nameParams = z.object({ name: z.string().meta({ openapi: { type: "string", description: "Its name" } }) });

/** Of one that is saved. */
export const newNameParams = z.object({
  name: z
    .string()
    .refine(isConfigurationName, { error: `must have ${NAMES}` })
    .meta({ openapi: { type: "string", pattern: NAME_PATTERN.source, description: `Its name: ${NAMES}` } }),
});

/** Tools stay as they are: they are shown again. */
export const CommandToSave = BatchCommand.omit({ configuration: true }).extend({ tools: ToolsAsSent.optional() });

const time = z.iso.datetime();

export const NamedConfiguration = z
  .looseObject({
    id: z.int(),
    name: z.string(),
    organizationId: z.int(),
    storagePath: z.string(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: "NamedConfiguration" });

const enabled = z.boolean();

/** A command as it is shown. */
export const SavedCommand = z
  .looseObject({
    ocr: z.enum(OCR).optional(),
    llm: z.enum(LLM).optional(),
    extractionMode: z.enum(MODES).optional(),
    sourceLocationGranularity: z.enum(["AUTO", "BLOCK", "WORD"]).optional(),
    schema: z.string().optional(),
    mapReduce: z.looseObject({ enabled, header: z.looseObject({ enabled }).optional() }).optional(),
  })
  .meta({ id: "SavedCommand" });

/** Texts that are absent when they are blank. */
const TEXTS = new Set(["schema", "prompt", "mimeType", "metadata", "configuration"]);

/** What a command says: its members without those that are absent. */
export const stated = (command: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(command).filter(
      ([name, value]) => value !== undefined && !(TEXTS.has(name) && typeof value === "string" && value.trim() === ""),
    ),
  );

/** A schema is text. */
function withSchemaText(command: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { schema } = command;
  return stated({ ...command, ...(typeof schema === "object" ? { schema: JSON.stringify(schema) } : {}) });
}

/**
 * A command as it is kept and shown: enumerations in upper case, schemas as text, `enabled` wherever it belongs, nothing
 * that is absent; the rest as it was sent.
 * @throws BadRequest when it names another configuration
 */
export function commandToKeep(command: z.output<typeof CommandToSave>): StoredCommand {
  const { sourceLocationGranularity: granularity, mapReduce, ...rest } = withSchemaText(command) as typeof command;
  if (rest.configuration !== undefined) {
    const message = "must be left out: a saved configuration names no other";
    throw new BadRequest(`Invalid body: configuration ${message}`, { errors: [{ path: "/configuration", message }] });
  }
  const header = mapReduce?.header && { enabled: false, ...withSchemaText(mapReduce.header) };
  return {
    ...rest,
    ...(granularity === undefined ? {} : { sourceLocationGranularity: granularity.toUpperCase() }),
    ...(mapReduce === undefined ? {} : { mapReduce: stated({ enabled: false, ...mapReduce, header }) }),
  };
}
