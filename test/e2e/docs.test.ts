/** The commands of README.md and docs/, run as a reader runs them: each page is one session with a service of its own. */
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { DEFAULT_KEY } from "../../bin/local/config.ts";
import { type Command, commandsOf, type DocPage, docPages } from "../support/doc-pages.ts";
import { DocSession, difference, type Ended } from "../support/doc-session.ts";
import { startTestService } from "../support/service.ts";

const TOOLS = ["bash", "curl"];
const missing = TOOLS.filter((tool) => {
  try {
    execFileSync(tool, ["--version"], { stdio: "ignore" });
    return false;
  } catch {
    return true;
  }
});
if (missing.length > 0) console.warn(`SKIPPED: there is no ${missing.join(", no ")} here; no page's commands were run`);

/** As the service that `npm start` starts. */
const SETTINGS = { SHEAF_API_KEYS: `1:${DEFAULT_KEY}:read+write+billing+admin` };
const PAGE_MS = 120_000;

/** Scripts of npm need nothing of their page, and are run once for all pages. */
const known = new Map<string, Ended>();

async function runOnce(session: DocSession, command: Command): Promise<Ended> {
  const ended = known.get(command.script) ?? (await session.run(command));
  if (/^npm /.test(command.script)) known.set(command.script, ended);
  return ended;
}

async function runPage(page: DocPage): Promise<void> {
  const session = new DocSession();
  mkdirSync(session.dataDir, { recursive: true });
  const service = await startTestService({ env: SETTINGS, dataDir: session.dataDir });
  try {
    session.connect(service.url);
    await session.drawInvoice();
    // A reader has tried something before.
    await session.run({ script: "npx sheaf process demo-output/invoice.pdf --no-wait", output: undefined });
    for (const command of commandsOf(page, "service")) {
      const place = `${page.path}:${command.line}: ${command.script}`;
      const { code, printed, complained } = await runOnce(session, command);
      expect(code, `${place}\n${printed}\n${complained}`).toBe(0);
      const other = command.output === undefined ? undefined : difference(command.output, printed);
      if (other !== undefined) expect(other.printed, place).toBe(other.expected);
    }
  } finally {
    await service.close();
    session.close();
  }
}

const pages = docPages().filter((page) => commandsOf(page, "service").length > 0);

describe.skipIf(missing.length > 0)("The documented commands", () => {
  it("include those of the README", () => {
    const readme = pages.find(({ path }) => path === "README.md");
    expect(readme && commandsOf(readme, "service").length).toBeGreaterThanOrEqual(7);
  });

  it.each(pages.map((page) => [page.path, page] as const))(
    "%s: every command succeeds and prints what the page shows",
    (_path, page) => runPage(page),
    PAGE_MS,
  );
});
