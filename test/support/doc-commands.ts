/** Tests of the commands of README.md and docs/, run as a reader runs them: each page is one session with a service of its own. */
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { DEFAULT_KEY } from "../../bin/local/config.ts";
import { type Command, commandsOf, type DocPage, readDocPage } from "./doc-pages.ts";
import { DocSession, difference, type Ended, SPAWNED } from "./doc-session.ts";
import { startTestService } from "./service.ts";
import { serveSheaf, sheafProgram } from "./sheaf-in-process.ts";

const TOOLS = ["bash", "curl"];
/** As the service that `npm start` starts. */
const SETTINGS = { SHEAF_API_KEYS: `1:${DEFAULT_KEY}:read+write+billing+admin` };
const PAGE_MS = 120_000;

/** Scripts of npm need nothing of their page, and are run once for all pages of a part. */
async function runOnce(session: DocSession, command: Command, known: Map<string, Ended>): Promise<Ended> {
  const ended = known.get(command.script) ?? (await session.run(command));
  if (/^npm /.test(command.script)) known.set(command.script, ended);
  return ended;
}

/** Commands on the data folder take it from their process: it is theirs. */
const programOf = (own: string): string => `if [ "\${1:-}" = admin ]; then ${SPAWNED}; fi\n${sheafProgram(own)}`;

async function runPage(page: DocPage, known: Map<string, Ended>): Promise<void> {
  const session = new DocSession({}, programOf);
  mkdirSync(session.dataDir, { recursive: true });
  const sheaf = await serveSheaf(session.own);
  const service = await startTestService({ env: SETTINGS, dataDir: session.dataDir });
  try {
    session.connect(service.url);
    await session.drawInvoice();
    // A reader has tried something before.
    await session.run({ script: "npx sheaf process demo-output/invoice.pdf --no-wait", output: undefined });
    for (const command of commandsOf(page, "service")) {
      const place = `${page.path}:${command.line}: ${command.script}`;
      const { code, printed, complained } = await runOnce(session, command, known);
      expect(code, `${place}\n${printed}\n${complained}`).toBe(0);
      const other = command.output === undefined ? undefined : difference(command.output, printed);
      if (other !== undefined) expect(other.printed, place).toBe(other.expected);
    }
  } finally {
    await service.close();
    await new Promise((closed) => sheaf.close(closed));
    session.close();
  }
}

const isMissing = (tool: string): boolean => {
  try {
    execFileSync(tool, ["--version"], { stdio: "ignore" });
    return false;
  } catch {
    return true;
  }
};

/**
 * Tests the pages of one part. A part is a file of tests, so that parts run side by side.
 * @param paths relative to the repository, in the order in which a reader comes to them
 */
export function testDocumentedCommands(...paths: string[]): void {
  const missing = TOOLS.filter(isMissing);
  if (missing.length > 0) console.warn(`SKIPPED: there is no ${missing.join(", no ")} here; no command was run`);
  const known = new Map<string, Ended>();
  describe.skipIf(missing.length > 0)("The documented commands", () => {
    it.each(paths)(
      "%s: every command succeeds and prints what the page shows",
      (path) => runPage(readDocPage(path), known),
      PAGE_MS,
    );
  });
}
