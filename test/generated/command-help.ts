/** The help of every command of the command line, as a page. */
import type { Command } from "commander";
import { LOCAL_COMMANDS } from "../../bin/commands.ts";
import { pathOf } from "../../client/cli/common-options.ts";
import { buildProgram, EXIT_CODES_HELP } from "../../client/cli/program.ts";

/** Where it lies, from the root. */
export const HELP_PAGE = "docs/command-line-help.md";
/** Columns of a page. */
const HELP_WIDTH = 110;

const INTRODUCTION = `# Help of all commands

\`npm run generate\` writes this page: the help of each command, as \`sheaf COMMAND --help\` prints it.
[Command line](command-line.md) explains them.
`;

/** Groups before the commands below them. */
const allCommands = (command: Command): Command[] => [command, ...command.commands.flatMap(allCommands)];

/** The page, from its path. */
export function commandHelp(): Map<string, string> {
  let printed = "";
  const output = {
    writeOut: (text: string): void => {
      printed += text;
    },
    getOutHelpWidth: () => HELP_WIDTH,
    getOutHasColors: () => false,
  };
  const program = buildProgram(async () => {}, { version: "", more: LOCAL_COMMANDS, output });
  const sections = allCommands(program).map((command) => {
    printed = "";
    command.outputHelp();
    // The same for all: it stands once, below the program's own.
    const text = command === program ? printed : printed.replace(EXIT_CODES_HELP, "");
    return `## ${`sheaf ${pathOf(command)}`.trim()}\n\n\`\`\`text\n${text.trim()}\n\`\`\`\n`;
  });
  return new Map([[HELP_PAGE, [INTRODUCTION, ...sections].join("\n")]]);
}
