/** Runs `sheaf` for shells in this process: to load the program for each command takes a second. */
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { LOCAL_COMMANDS } from "../../bin/commands.ts";
import type { Io } from "../../client/cli/io.ts";
import { runCommandLine } from "../../client/cli/main.ts";
import { filesOf } from "../../client/cli/process-io.ts";
import project from "../../package.json" with { type: "json" };

const nulSeparated = (file: string): string[] => readFileSync(file, "utf8").split("\0").slice(0, -1);

/**
 * A program for `sh` that has this process run `sheaf`: words, environment and standard input go there as files, and the
 * output comes back as files. Without `-` among the words nothing reads standard input.
 * @param folder of the runs, with the socket
 */
export const sheafProgram = (folder: string): string => `
run=$(mktemp -d "${folder}/run.XXXXXX")
printf '%s\\0' "$PWD" "$@" > "$run/words"
env -0 > "$run/environment"
case " $* " in *" - "*) cat > "$run/in" ;; *) : > "$run/in" ;; esac
code=$(curl -s --unix-socket "${folder}/sheaf.sock" -d "$run" http://sheaf/)
cat "$run/out"
cat "$run/err" >&2
exit "$code"`;

/** One command, as \`sheafProgram\` wrote it down. @returns its exit code */
async function runOne(run: string): Promise<number> {
  const [folder = "", ...argv] = nulSeparated(join(run, "words"));
  const pairs = nulSeparated(join(run, "environment")).map((pair): [string, string] => {
    const at = pair.indexOf("=");
    return [pair.slice(0, at), pair.slice(at + 1)];
  });
  const { signal } = new AbortController();
  const out: Uint8Array[] = [];
  const err: string[] = [];
  const io: Io = {
    env: Object.fromEntries(pairs),
    stdout: { write: async (content) => void out.push(Buffer.from(content as Uint8Array)), isTTY: false },
    stderr: { write: (line) => void err.push(line), isTTY: false },
    ...filesOf(folder, Readable.from([readFileSync(join(run, "in"))]), signal),
    fetch: globalThis.fetch,
    signal,
  };
  let code = 1;
  try {
    code = await runCommandLine(io, argv, project.version, LOCAL_COMMANDS);
  } catch (error) {
    err.push(String(error instanceof Error ? error.stack : error));
  }
  writeFileSync(join(run, "out"), Buffer.concat(out));
  writeFileSync(join(run, "err"), err.join(""));
  return code;
}

/** Answers the programs of a folder. @returns the server, to be closed */
export async function serveSheaf(folder: string): Promise<Server> {
  const server = createServer(async (request, response) => {
    response.end(String(await runOne(await text(request))));
  });
  await new Promise<void>((resolve) => server.listen(join(folder, "sheaf.sock"), resolve));
  return server;
}
