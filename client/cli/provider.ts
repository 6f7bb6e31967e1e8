/** `sheaf llm` and `sheaf ocr`: an organization's own models and text recognition. */
import type { Command } from "commander";
import type { ProviderKind } from "../provider-calls.ts";
import { type ConnectionArguments, connect } from "./connection.ts";
import { readText } from "./document.ts";
import { EXIT_CODES, type Io, type Perform } from "./io.ts";
import { parseJsonObject, parseWholeNumber } from "./options.ts";
import { printJson } from "./outcome.ts";

interface Settings {
  name?: string;
  type?: string;
  baseUrl?: string;
  endpoint?: string;
  apiKey?: string;
  model?: string;
  kwargs?: string;
  features?: string;
  description?: string;
  status?: "ACTIVE" | "INACTIVE";
}
type Arguments = ConnectionArguments & Settings & { providerId?: number; deleted?: boolean };

/** The calls of a kind, without the difference of their settings. */
interface AnyCalls {
  list(options: { deleted?: boolean | undefined; signal: AbortSignal }): Promise<unknown>;
  get(id: number, options: { signal: AbortSignal }): Promise<unknown>;
  create(wish: object, options: { signal: AbortSignal }): Promise<unknown>;
  update(id: number, wish: object, options: { signal: AbortSignal }): Promise<unknown>;
  remove(id: number, options: { signal: AbortSignal }): Promise<unknown>;
  test(id: number, options: { signal: AbortSignal }): Promise<{ ok: boolean }>;
  keys(options: { signal: AbortSignal }): Promise<unknown>;
  bind(key: string, id: number | null, options: { signal: AbortSignal }): Promise<unknown>;
}
const callsOf = (io: Io, args: Arguments, kind: ProviderKind): AnyCalls =>
  connect(io, args).providers[kind] as AnyCalls;

/** The settings as the service takes them; a key of `-` is read from standard input. */
async function wishOf(io: Io, args: Settings): Promise<object> {
  const { name, type, baseUrl, endpoint, model, description, status, kwargs, features } = args;
  const apiKey = args.apiKey === "-" ? (await readText(io, "-")).trim() : args.apiKey;
  const wish = { name, type, baseUrl, endpoint, model, description, status, apiKey };
  return {
    ...Object.fromEntries(Object.entries(wish).filter(([, value]) => value !== undefined)),
    ...(kwargs === undefined ? {} : { kwargs: parseJsonObject(kwargs, "--kwargs") }),
    ...(features === undefined ? {} : { features: parseJsonObject(features, "--features") }),
  };
}

async function print(io: Io, answer: Promise<unknown>): Promise<number> {
  await printJson(io, JSON.stringify(await answer));
  return EXIT_CODES.success;
}

async function test(io: Io, args: Arguments, kind: ProviderKind, id: number): Promise<number> {
  const answer = await callsOf(io, args, kind).test(id, { signal: io.signal });
  await printJson(io, JSON.stringify(answer));
  return answer.ok ? EXIT_CODES.success : EXIT_CODES.failed;
}

const optionsOf = (command: Command): Arguments => command.optsWithGlobals<Arguments>();

/** The options of the settings; those of a new provider name what it must have. */
function withSettings(command: Command, kind: ProviderKind, isNew: boolean): Command {
  const name = ["--name <text>", "its name"] as const;
  if (isNew) command.requiredOption(...name);
  else command.option(...name);
  if (kind === "llm") {
    const type = ["--type <name>", "such as OPENAI, AZURE or CUSTOM"] as const;
    if (isNew) command.requiredOption(...type);
    else command.option(...type);
    command.option("--base-url <url>", "its address; some types have a public one");
    command.option("--kwargs <json>", 'such as {"api-version": "2024-10-21"}');
  } else {
    command.option("--endpoint <url>", "its address");
    command.option("--features <json>", "passed on with each page");
  }
  return command
    .option("--api-key <text>", "sealed by the service; - reads it from standard input")
    .option("--model <name>", kind === "llm" ? "the model, or the deployment" : "the model, where it has several")
    .option("--description <text>", "a note")
    .option("--status <status>", "ACTIVE or INACTIVE");
}

function defineSaving(group: Command, perform: Perform, kind: ProviderKind): void {
  withSettings(group.command("create").description("save a provider"), kind, true).action(
    (_options: unknown, command: Command) =>
      perform(async (io) => {
        const args = optionsOf(command);
        return print(io, callsOf(io, args, kind).create(await wishOf(io, args), { signal: io.signal }));
      }),
  );
  withSettings(
    group.command("update").description("change what is given").argument("<id>", "its id", parseWholeNumber),
    kind,
    false,
  ).action((id: number, _options: unknown, command: Command) =>
    perform(async (io) => {
      const args = optionsOf(command);
      return print(io, callsOf(io, args, kind).update(id, await wishOf(io, args), { signal: io.signal }));
    }),
  );
}

function defineGroup(program: Command, perform: Perform, kind: ProviderKind, what: string): void {
  const group = program.command(kind).description(`your organization's own ${what}`);
  group
    .command("providers")
    .description("print all of them")
    .option("--deleted", "those that were deleted too")
    .action((_options: unknown, command: Command) =>
      perform((io) => {
        const args = optionsOf(command);
        return print(io, callsOf(io, args, kind).list({ deleted: args.deleted, signal: io.signal }));
      }),
    );
  defineSaving(group, perform, kind);
  for (const [verb, description, run] of [
    ["get", "print one", (io, args, id) => print(io, callsOf(io, args, kind).get(id, { signal: io.signal }))],
    ["delete", "delete one", (io, args, id) => print(io, callsOf(io, args, kind).remove(id, { signal: io.signal }))],
    ["test", "have the service ask it once", (io, args, id) => test(io, args, kind, id)],
  ] as [string, string, (io: Io, args: Arguments, id: number) => Promise<number>][]) {
    group
      .command(verb)
      .description(description)
      .argument("<id>", "its id", parseWholeNumber)
      .action((id: number, _options: unknown, command: Command) => perform((io) => run(io, optionsOf(command), id)));
  }
  group
    .command("keys")
    .description("print the keys that runs ask for, with their providers")
    .action((_options: unknown, command: Command) =>
      perform((io) => print(io, callsOf(io, optionsOf(command), kind).keys({ signal: io.signal }))),
    );
  group
    .command("bind")
    .description("bind a key to a provider; without one, to the service's own")
    .argument("<key>", kind === "llm" ? "DEFAULT, NANO, MINI or HIGH" : "DEFAULT or PREMIUM")
    .option("--provider-id <id>", "the provider", parseWholeNumber)
    .action((key: string, _options: unknown, command: Command) =>
      perform((io) => {
        const args = optionsOf(command);
        return print(io, callsOf(io, args, kind).bind(key, args.providerId ?? null, { signal: io.signal }));
      }),
    );
}

/** Adds the commands to the program. */
export function define(program: Command, perform: Perform): void {
  defineGroup(program, perform, "llm", "language models");
  defineGroup(program, perform, "ocr", "text recognition");
}
