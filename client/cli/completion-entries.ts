/** What may follow the words of each command, for completion in shells. */
import type { Command } from "commander";
import { pathOf } from "./common-options.ts";

/** What may follow a command's words. */
export interface CompletionEntry {
  /** `sheaf`, `sheaf cases`, `sheaf cases list` … */
  path: string;
  description: string;
  /** Commands below it. */
  commands: { name: string; description: string }[];
  /** Its options, with those of the program. */
  options: { names: string[]; description: string; takesValue: boolean; choices: readonly string[] }[];
  /** Words that its arguments may be, where they are known. */
  choices: readonly string[];
}

/** The entries of a program's commands, from the program on. */
export function completionEntries(command: Command): CompletionEntry[] {
  const ancestors: Command[] = [];
  for (let above = command.parent; above !== null; above = above.parent) ancestors.push(above);
  const options = [command, ...ancestors].flatMap(({ options: own }) => own).filter(({ hidden }) => !hidden);
  const entry: CompletionEntry = {
    path: `sheaf ${pathOf(command)}`.trim(),
    description: command.description(),
    commands: command.commands.map((one) => ({ name: one.name(), description: one.description() })),
    options: options.map((option) => ({
      names: [option.short, option.long].filter((name): name is string => name !== undefined && name !== null),
      description: option.description,
      takesValue: option.required || option.optional,
      choices: option.argChoices ?? [],
    })),
    choices: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
  };
  return [entry, ...command.commands.flatMap(completionEntries)];
}
