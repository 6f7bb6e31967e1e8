/** Saved configurations on the wire: the command as sent, as stored and shown, and its name. */
import * as z from "zod";
import { BadRequest } from "../../ports/errors.ts";
import { OCR_MODES } from "../../ports/ocr.ts";
import {
  isConfigurationName,
  NAME_PATTERN,
  type StoredCommand,
} from "../../service/configurations/configuration-records.ts";
import { BatchCommand, LLM_TIERS } from "./commands.ts";
import { integerParameter } from "./common.ts";
import { EXTRACTION_MODES, PIPELINE_USES } from "./pipeline-use.ts";
import { ToolsAsSent } from "./tools.ts";
import { UNSUPPORTED } from "./unsupported-members.ts";

const NAME_DESCRIPTION =
  "1 to 128 characters, none of / \\ ? # % and no control characters; no blanks at its ends, not . or .., and no @ with a number at its end, which names a revision";

/** Name of a requested configuration; an invalid name is answered 404. */
export const nameParams = z.object({ name: z.string().meta({ openapi: { type: "string", description: "Its name" } }) });

/** Without control characters, which are written as a range: not every reader of the document knows `\\p{Cc}`. */
const SHOWN_PATTERN = NAME_PATTERN.source.replace("#%]", "#%\\u0000-\\u001f\\u007f-\\u009f]");

/** Name of a configuration to save. */
export const newNameParams = z.object({
  name: z
    .string()
    .refine(isConfigurationName, { error: `must have ${NAME_DESCRIPTION}` })
    .meta({ openapi: { type: "string", pattern: SHOWN_PATTERN, description: `Its name: ${NAME_DESCRIPTION}` } }),
});

/** The number of a revision, in a path or a query; as many digits as a pinned revision may have. */
export const revisionNumber = () => integerParameter(1, 999_999_999);

export const revisionParams = nameParams.extend({ n: revisionNumber() });

/** Members of a command that a configuration must not have, each with what to do. */
const MEMBERS_NOT_SAVED: Readonly<Record<string, string>> = {
  configuration: "must be left out: a saved configuration names no other",
  password: "must be left out: a password is not saved; send it with each command",
};

/** The same in the OpenAPI document: absent or null, or a blank name. */
const notSaved = {
  properties: {
    configuration: { anyOf: [{ type: "null" }, { type: "string", pattern: "^\\s*$" }] },
    password: { type: "null" },
  },
};

/** Tools are stored as sent, because they are shown again. */
export const CommandToSave = BatchCommand.omit({ configuration: true, password: true })
  .extend({ tools: ToolsAsSent.optional() })
  .meta({ ...PIPELINE_USES, allOf: [...UNSUPPORTED.allOf, notSaved] });

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

export const ConfigurationRevision = z
  .looseObject({ revision: z.int().positive(), createdAt: time, savedBy: z.string().nullable() })
  .meta({ id: "ConfigurationRevision" });

export const CommandDifference = z
  .looseObject({ path: z.string(), from: z.unknown(), to: z.unknown() })
  .meta({ id: "CommandDifference" });

const enabled = z.boolean();

/** A command as shown. */
export const SavedCommand = z
  .looseObject({
    ocr: z.enum(OCR_MODES).optional(),
    llm: z.enum(LLM_TIERS).optional(),
    extractionMode: z.enum(EXTRACTION_MODES).optional(),
    sourceLocationGranularity: z.enum(["AUTO", "BLOCK", "WORD"]).optional(),
    schema: z.string().optional(),
    mapReduce: z.looseObject({ enabled, header: z.looseObject({ enabled }).optional() }).optional(),
  })
  .meta({ id: "SavedCommand" });

/** Text members for which blank means absent. */
const TEXT_MEMBERS = new Set(["schema", "prompt", "mimeType", "metadata", "configuration"]);

/** The members of a command that are present. */
export const presentMembers = (command: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(command).filter(
      ([name, value]) =>
        value !== undefined && !(TEXT_MEMBERS.has(name) && typeof value === "string" && value.trim() === ""),
    ),
  );

/** Serialises the schema to text. */
function withSchemaText(command: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { schema } = command;
  return presentMembers({ ...command, ...(typeof schema === "object" ? { schema: JSON.stringify(schema) } : {}) });
}

/**
 * Normalises a command for storage and display: enumerations in upper case, schemas as text, `enabled` wherever it
 * applies, no absent members; the rest as sent.
 * @throws BadRequest when the command names another configuration, or has a password
 */
export function commandToKeep(command: z.output<typeof CommandToSave>): StoredCommand {
  const { sourceLocationGranularity: granularity, mapReduce, ...rest } = withSchemaText(command) as typeof command;
  const [refused] = Object.entries(MEMBERS_NOT_SAVED).filter(([name]) => Object.hasOwn(rest, name));
  if (refused !== undefined) {
    const [name, message] = refused;
    throw new BadRequest(`Invalid body: ${name} ${message}`, { errors: [{ path: `/${name}`, message }] });
  }
  const header = mapReduce?.header && { enabled: false, ...withSchemaText(mapReduce.header) };
  return {
    ...rest,
    ...(granularity === undefined ? {} : { sourceLocationGranularity: granularity.toUpperCase() }),
    ...(mapReduce === undefined ? {} : { mapReduce: presentMembers({ enabled: false, ...mapReduce, header }) }),
  };
}
