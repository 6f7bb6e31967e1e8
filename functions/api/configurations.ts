/** Saved configurations: named commands. */
import * as z from "zod";
import { commandDifferences } from "../service/configurations/command-differences.ts";
import { type ConfigurationEntry, storagePathOf } from "../service/configurations/configuration-records.ts";
import {
  checkCommandSize,
  listConfigurations,
  listRevisions,
  loadConfiguration,
  MAX_COMMAND_BYTES,
  MAX_CONFIGURATIONS,
  MAX_REVISIONS,
  removeConfiguration,
  restoreRevision,
  saveConfiguration,
} from "../service/configurations/configurations.ts";
import type { Organization } from "../service/organizations/organization.ts";
import { json, ok } from "./http/reply.ts";
import { route } from "./http/route.ts";
import { check } from "./http/validate.ts";
import { runOfUploadCommand, UploadCommand } from "./schemas/commands.ts";
import { flagParameter } from "./schemas/common.ts";
import {
  CommandDifference,
  CommandToSave,
  ConfigurationRevision,
  commandToKeep,
  NamedConfiguration,
  nameParams,
  newNameParams,
  revisionNumber,
  revisionParams,
  SavedCommand,
} from "./schemas/configurations.ts";
import { checkTools } from "./submission.ts";

const TAG = "Configurations";

const configurationReply = (org: Organization, entry: ConfigurationEntry) => {
  const { id, name, createdAt, updatedAt } = entry;
  return { id, name, organizationId: org.id, storagePath: storagePathOf(entry), createdAt, updatedAt };
};

const EXAMPLE = {
  id: 1,
  name: "invoices",
  organizationId: 1,
  storagePath: "configuration-commands/invoices",
  createdAt: "2026-01-31T10:00:00.000Z",
  updatedAt: "2026-01-31T10:00:00.000Z",
};

export const list = route({
  method: "GET",
  path: "/configuration",
  scope: "read",
  tag: TAG,
  summary: "The saved configurations, by name",
  replies: {
    200: { description: "All of them", schema: z.array(NamedConfiguration), example: [EXAMPLE] },
  },
  async run(_input, { org }) {
    const entries = await listConfigurations(org);
    return ok(entries.map((entry) => configurationReply(org, entry)));
  },
});

export const save = route({
  method: "POST",
  path: "/configuration/{name}",
  scope: "write",
  tag: TAG,
  summary: "Save a command under a name",
  description:
    "Checked as it would be where it is processed, a pipeline with every node. 409 when there is one of that name, unless " +
    "`overwrite` is true: then this one is its next revision, and runs that were started keep what they were started with. " +
    `At most ${MAX_COMMAND_BYTES.toLocaleString("en-US")} bytes, ${MAX_CONFIGURATIONS} configurations, and ` +
    `${MAX_REVISIONS} revisions of each.`,
  idempotent: true,
  params: newNameParams,
  query: z.object({ overwrite: flagParameter().optional() }),
  body: {
    kind: "json",
    schema: CommandToSave,
    required: true,
    examples: {
      invoices: {
        prompt: "Extract the invoice's number and total",
        schema: { invoice_number: "string", total: "number" },
        sourceLocations: true,
      },
    },
  },
  errors: [400, 409, 422],
  replies: {
    201: { description: "The configuration", makes: "configuration", schema: NamedConfiguration, example: EXAMPLE },
  },
  async run({ params: { name }, query, body }, { org, caller }) {
    checkCommandSize(body);
    const command = commandToKeep(body);
    // Validate the command as a run would.
    const run = await runOfUploadCommand(org, check(UploadCommand, command, "body"), (wish) => wish ?? "");
    await checkTools(org, run);
    const as = query.overwrite === true ? "any" : "new";
    const entry = await saveConfiguration(org, name, command, { savedBy: caller.keyId, as });
    return json(201, configurationReply(org, entry));
  },
});

export const read = route({
  method: "GET",
  path: "/configuration/{name}",
  scope: "read",
  tag: TAG,
  summary: "A saved command",
  description:
    "With enumerations in upper case, schemas as text and `enabled` always in `mapReduce` and its `header`; a pipeline, and " +
    "members that the service does not know, as they were sent.",
  params: nameParams,
  errors: [404],
  replies: { 200: { description: "The command", schema: SavedCommand } },
  async run({ params: { name } }, { org }) {
    return ok(await loadConfiguration(org, name));
  },
});

export const remove = route({
  method: "DELETE",
  path: "/configuration/{name}",
  scope: "write",
  tag: TAG,
  summary: "Delete a saved configuration",
  description: "With all its revisions. Runs that were started with it go on.",
  params: nameParams,
  errors: [404],
  replies: { 200: { description: "It is gone", schema: z.looseObject({}), example: {} } },
  async run({ params: { name } }, { org }) {
    await removeConfiguration(org, name);
    return ok({});
  },
});

const REVISION = { revision: 2, createdAt: "2026-01-31T10:00:00.000Z", savedBy: "k1" };

export const revisions = route({
  method: "GET",
  path: "/configuration/{name}/revisions",
  scope: "read",
  tag: TAG,
  summary: "A configuration's revisions, newest first",
  description:
    "Every save is one, and never changes; `savedBy` is the id of the API key, null where no release noted it.",
  params: nameParams,
  errors: [404],
  replies: {
    200: { description: "All of them", schema: z.array(ConfigurationRevision), example: [REVISION] },
  },
  async run({ params: { name } }, { org }) {
    const all = await listRevisions(org, name);
    return ok(all.map(({ revision, createdAt, savedBy }) => ({ revision, createdAt, savedBy })));
  },
});

export const readRevision = route({
  method: "GET",
  path: "/configuration/{name}/revisions/{n}",
  scope: "read",
  tag: TAG,
  summary: "The command of a revision",
  params: revisionParams,
  errors: [400, 404],
  replies: { 200: { description: "The command", schema: SavedCommand } },
  async run({ params: { name, n } }, { org }) {
    return ok(await loadConfiguration(org, name, n));
  },
});

export const diff = route({
  method: "GET",
  path: "/configuration/{name}/diff",
  scope: "read",
  tag: TAG,
  summary: "What changed between two revisions",
  description:
    "Each place that differs, as a JSON Pointer; null where a revision has nothing there. Schemas are compared as JSON, and " +
    "the elements of lists by their places.",
  params: nameParams,
  query: z.object({ from: revisionNumber(), to: revisionNumber() }),
  errors: [400, 404],
  replies: {
    200: {
      description: "The differences",
      schema: z.array(CommandDifference),
      example: [{ path: "/schema/properties/total/type", from: "string", to: "number" }],
    },
  },
  async run({ params: { name }, query: { from, to } }, { org }) {
    const [older, newer] = [await loadConfiguration(org, name, from), await loadConfiguration(org, name, to)];
    return ok(commandDifferences(older, newer));
  },
});

export const restore = route({
  method: "POST",
  path: "/configuration/{name}/revisions/{n}/restore",
  scope: "write",
  tag: TAG,
  summary: "Make a revision the newest again",
  description: "Saves its command as the next revision; those between stay.",
  idempotent: true,
  params: revisionParams,
  errors: [400, 404, 409],
  replies: { 201: { description: "The new revision", schema: ConfigurationRevision, example: REVISION } },
  async run({ params: { name, n } }, { org, caller }) {
    const { revision, createdAt, savedBy } = await restoreRevision(org, { name, revision: n }, caller.keyId);
    return json(201, { revision, createdAt, savedBy });
  },
});

export const configurationRoutes = [list, save, read, remove, revisions, readRevision, diff, restore];
