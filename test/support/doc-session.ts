/**
 * A reader's terminal: the commands of one page, one after the other, in a folder that looks like a clone of the
 * repository. Variables and the working folder stay from command to command.
 */
import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { drawInvoice } from "../../bin/demo/invoice.ts";
import { type Command, ROOT } from "./doc-pages.ts";

/** The service's URL in the pages; a running one has another port. */
const DOCUMENTED_URL = "http://127.0.0.1:3000";
const GUID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** A line of a page that stands for any number of lines. */
const ANY_LINES = "…";
/** The compiler's options for the pages' examples: the project's own. */
const EXAMPLES = { extends: "./tsconfig.json", include: ["example.ts"] };
/** The end of what `npm start` prints; it goes on until it is interrupted. */
const READY = "Ctrl-C stops";

/** Names for values that differ from run to run. */
const folded = (text: string): string =>
  text
    .replaceAll(GUID, "<guid>")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
    .replaceAll(/\b\d+(\.\d+)? s\b/g, "<seconds>")
    .replaceAll(/whsec_[\w+/=…]+/g, "<secret>")
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, "<url>")
    .replaceAll(/[ \t]+$/gm, "")
    .trim();

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** @returns undefined where the output is what the page says, else both for a message */
export function difference(expected: string, printed: string): { expected: string; printed: string } | undefined {
  const [wanted, got] = [folded(expected), folded(printed)];
  const pattern = wanted
    .split("\n")
    .map((line) => (line.trim() === ANY_LINES ? "[^]*?" : `${escaped(line)}(?:\n|$)`))
    .join("");
  return new RegExp(`^${pattern}$`).test(got) ? undefined : { expected: wanted, printed: got };
}

/** A process of its own for each command. */
export const SPAWNED = `exec node "${ROOT}/bin/sheaf.mjs" "$@"`;

/** Programs of the session's own, by name. @param sheaf runs `sheaf` with the words that it is given */
const programs = (sheaf: string): Record<string, (original: string) => string> => ({
  // It would replace the packages that this very process runs on.
  npm: (npm) => `[ "$1" = ci ] && exit 0\nexec "${npm}" "$@"`,
  // The project's own programs, without the half second that npx takes to find them.
  npx: (npx) =>
    `if [ "$1" = sheaf ]; then
  shift
${sheaf}
fi
if [ -x "${ROOT}/node_modules/.bin/$1" ]; then program=$1; shift; exec "${ROOT}/node_modules/.bin/$program" "$@"; fi
exec "${npx}" "$@"`,
});

const findOnPath = (program: string): string =>
  (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((file) => existsSync(file)) ?? program;

export interface Ended {
  code: number | null;
  printed: string;
  /** Standard error. */
  complained: string;
}

export class DocSession {
  readonly folder: string;
  /** Files that the reader does not see. */
  readonly own: string;
  /** For the service that the commands talk to. */
  readonly dataDir: string;
  readonly #environment: Record<string, string>;
  #url = DOCUMENTED_URL;
  /** From the GUIDs that a page prints to those of this session. */
  readonly #guids = new Map<string, string>();

  /**
   * @param environment of all commands, beside the system's paths
   * @param sheaf makes the program that runs `sheaf`, from the folder of the session's own files
   */
  constructor(environment: Record<string, string> = {}, sheaf: (own: string) => string = () => SPAWNED) {
    this.folder = mkdtempSync(join(tmpdir(), "sheaf-docs-"));
    this.dataDir = join(this.folder, ".session/data");
    const own = join(this.folder, ".session");
    this.own = own;
    mkdirSync(join(own, "bin"), { recursive: true });
    for (const [name, script] of Object.entries(programs(sheaf(own)))) {
      writeFileSync(join(own, "bin", name), `#!/bin/sh\n${script(findOnPath(name))}\n`);
      chmodSync(join(own, "bin", name), 0o755);
    }
    for (const entry of readdirSync(ROOT)) {
      if (!["demo-output", "cdk.out", ".sheaf", ".git"].includes(entry))
        symlinkSync(join(ROOT, entry), join(this.folder, entry));
    }
    writeFileSync(join(this.folder, "tsconfig.example.json"), JSON.stringify(EXAMPLES));
    this.#environment = {
      PATH: [join(own, "bin"), dirname(process.execPath), process.env.PATH ?? ""].join(delimiter),
      HOME: this.folder,
      SHEAF_DATA_DIR: this.dataDir,
      ...environment,
    };
  }

  /** Names the service that the commands talk to. */
  connect(url: string): void {
    this.#url = url;
    this.#environment.SHEAF_API_URL = url;
  }

  /** Puts the demo's invoice where `npm run demo` leaves it. */
  async drawInvoice(): Promise<void> {
    mkdirSync(join(this.folder, "demo-output"), { recursive: true });
    writeFileSync(join(this.folder, "demo-output/invoice.pdf"), await drawInvoice());
  }

  /** Runs a command; its page's GUIDs and address become the session's. */
  async run({ script, output }: Pick<Command, "script" | "output">): Promise<Ended> {
    const own = script.replaceAll(DOCUMENTED_URL, this.#url).replaceAll(GUID, (guid) => this.#guids.get(guid) ?? guid);
    const state = join(this.folder, ".session/state");
    // Assignments are exported, so that the state that is kept has them. A service that a page starts has a port and
    // data of its own.
    const kept = `trap 'code=$?; { export -p; declare -f; printf "cd %q\\n" "$PWD"; } > "${state}"; exit $code' EXIT`;
    const lines = [
      `cd "${this.folder}"`,
      `[ -f "${state}" ] && . "${state}"`,
      ...(/\bnpm start\b/.test(script) ? ["export PORT=0", "unset SHEAF_DATA_DIR"] : [kept]),
      "set -aeuo pipefail",
      own,
    ];
    const ended = await this.#bash(lines.join("\n"));
    const [printed, shown] = [ended.printed.match(GUID) ?? [], output?.match(GUID) ?? []];
    if (printed.length === shown.length) {
      for (const [index, guid] of shown.entries()) this.#guids.set(guid, printed[index] ?? guid);
    }
    return ended;
  }

  #bash(script: string): Promise<Ended> {
    return new Promise((done, failed) => {
      const child = spawn("bash", ["-c", script], {
        cwd: this.folder,
        env: this.#environment,
        stdio: ["ignore", "pipe", "pipe"],
        detached: true,
      });
      let [printed, complained] = ["", ""];
      let interrupted = false;
      child.stdout.on("data", (chunk) => {
        printed += chunk;
        if (interrupted || !printed.includes(READY)) return;
        interrupted = true;
        // As a terminal does: all processes in front get it.
        if (child.pid !== undefined) process.kill(-child.pid, "SIGINT");
      });
      child.stderr.on("data", (chunk) => {
        complained += chunk;
      });
      child.on("error", failed);
      child.on("close", (code) => done({ code: interrupted ? 0 : code, printed, complained }));
    });
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
