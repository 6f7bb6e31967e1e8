/** Saved configurations: named commands. */
import * as z from "zod";
import {
  type ConfigurationEntry,
  checkCommandSize,
  listConfigurations,
  loadConfiguration,
  MAX_COMMAND_BYTES,
  MAX_CONFIGURATIONS,
  removeConfiguration,
  saveConfiguration,
  storagePathOf,
} from "../service/configurations/configurations.ts";
import type { Organization } from "../service/organizations/organization.ts";
import { json, ok } from "./http/reply.ts";
import { route } from "./http/route.ts";
import { check } from "./http/validate.ts";
import { runOfUploadCommand, UploadCommand } from "./schemas/commands.ts";
import { flagParameter } from "./schemas/common.ts";
import {
  CommandToSave,
  commandToKeep,
  NamedConfiguration,
  nameParams,
  newNameParams,
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
    "`overwrite` is true: then this one is in its place, and runs that were started keep what they were started with. " +
    `At most ${MAX_COMMAND_BYTES.toLocaleString("en-US")} bytes, and ${MAX_CONFIGURATIONS} configurations.`,
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
  async run({ params: { name }, query, body }, { org }) {
    checkCommandSize(body);
    const command = commandToKeep(body);
    // Validate the command as a run would.
    const run = await runOfUploadCommand(org, check(UploadCommand, command, "body"), (wish) => wish ?? "");
    await checkTools(org, run);
    const entry = await saveConfiguration(org, name, command, { overwrite: query.overwrite ?? false });
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
  description: "Runs that were started with it go on.",
  params: nameParams,
  errors: [404],
  replies: { 200: { description: "It is gone", schema: z.looseObject({}), example: {} } },
  async run({ params: { name } }, { org }) {
    await removeConfiguration(org, name);
    return ok({});
  },
});

export const configurationRoutes = [list, save, read, remove];
