/** `sheaf knowledge-base`: cases whose documents are searched. */
import { type Command, InvalidArgumentError } from "commander";
import type { SheafClient } from "../client.ts";
import { type ConnectionArguments, connect } from "./connection.ts";
import { EXIT_CODES, type Io, type Perform } from "./io.ts";
import { parseCaseId } from "./options.ts";
import { printJson } from "./outcome.ts";

const MAX_PASSAGES = 50;

interface CaseArguments extends ConnectionArguments {
  caseId: number;
}

interface SearchArguments extends CaseArguments {
  question: string;
  topK?: number;
}

/** @throws InvalidArgumentError */
function parseTopK(value: string): number {
  const number = Number(value);
  if (!/^\d{1,2}$/.test(value) || number < 1 || number > MAX_PASSAGES) {
    throw new InvalidArgumentError(`It is a whole number from 1 to ${MAX_PASSAGES}.`);
  }
  return number;
}

/** A command that prints the answer of a call. */
const printing =
  <Args extends ConnectionArguments>(
    call: (calls: SheafClient["knowledgeBases"], args: Args, signal: AbortSignal | undefined) => Promise<unknown>,
  ) =>
  async (io: Io, args: Args): Promise<number> => {
    await printJson(io, JSON.stringify(await call(connect(io, args).knowledgeBases, args, io.signal)));
    return EXIT_CODES.success;
  };

const list = printing((calls, _args, signal) => calls.list({ signal }));
const add = printing((calls, { caseId }: CaseArguments, signal) => calls.add(caseId, { signal }));
const get = printing((calls, { caseId }: CaseArguments, signal) => calls.get(caseId, { signal }));
const search = printing((calls, { caseId, question, topK }: SearchArguments, signal) =>
  calls.search(caseId, question, { topK, signal }),
);

async function remove(io: Io, { caseId, ...args }: CaseArguments): Promise<number> {
  await connect(io, args).knowledgeBases.remove(caseId, { signal: io.signal });
  io.stderr.write(`case ${caseId}: no longer a knowledge base\n`);
  return EXIT_CODES.success;
}

const CASE_ID = ["<case>", "the case's id", parseCaseId] as const;

/** Adds the commands to the program. */
export function define(program: Command, perform: Perform): void {
  const group = program.command("knowledge-base").description("cases whose documents are searched");
  group
    .command("list")
    .description("print all of them")
    .action((_options: unknown, command: Command) =>
      perform((io) => list(io, command.optsWithGlobals<ConnectionArguments>())),
    );
  for (const [verb, what, run] of [
    ["add", "make a case a knowledge base", add],
    ["get", "print one", get],
    ["remove", "make one a plain case again; its documents stay", remove],
  ] as const) {
    group
      .command(verb)
      .description(what)
      .argument(...CASE_ID)
      .action((caseId: number, _options: unknown, command: Command) =>
        perform((io) => run(io, { ...command.optsWithGlobals<ConnectionArguments>(), caseId })),
      );
  }
  group
    .command("search")
    .description("print the passages nearest to a question, the best first")
    .argument(...CASE_ID)
    .argument("<question>", "words to look for")
    .option("--top-k <number>", "most passages, 1 to 50 (default: 5)", parseTopK)
    .action((caseId: number, question: string, _options: unknown, command: Command) =>
      perform((io) =>
        search(io, { ...command.optsWithGlobals<Omit<SearchArguments, "caseId" | "question">>(), caseId, question }),
      ),
    );
}
