/** `sheaf completion`: scripts that complete commands and options in a shell. */
import { Argument, type Command } from "commander";
import { completionEntries } from "./completion-entries.ts";
import { bashScript, fishScript, zshScript } from "./completion-scripts.ts";
import { EXIT_CODES, type Perform } from "./io.ts";

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** Adds the command to the program. */
export function define(program: Command, perform: Perform): void {
  program
    .command("completion")
    .description("print a script that completes commands and options in a shell")
    .addArgument(new Argument("<shell>", "the shell").choices(Object.keys(SCRIPTS)))
    .action((shell: keyof typeof SCRIPTS) =>
      perform(async (io) => {
        await io.stdout.write(SCRIPTS[shell](completionEntries(program)));
        return EXIT_CODES.success;
      }),
    );
}
