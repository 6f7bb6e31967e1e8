/** The commands of README.md and docs/ that deploy, on the emulator: the last of all, as they deploy anew. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Command, commandsOf, docPages } from "../support/doc-pages.ts";
import { DocSession, difference } from "../support/doc-session.ts";
import { REMOTE_URL } from "../support/target.ts";

const { environment } = JSON.parse(process.env.SHEAF_E2E_AWS ?? "{}");
const PAGE_MS = 300_000;

/** Programs that the pages call and that a machine may not have. */
const OPTIONAL = ["aws", "jq"].filter((program) => {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return false;
  } catch {
    console.warn(`SKIPPED: there is no ${program} here; the pages' commands with it were not run`);
    return true;
  }
});
const isRunnable = ({ script }: Command): boolean =>
  OPTIONAL.every((program) => !new RegExp(`\\b${program} `).test(script));

const pages = docPages().filter((page) => commandsOf(page, "cloud").length > 0);

describe.skipIf(environment === undefined)("The documented commands for a deployment", () => {
  let session: DocSession;
  /** A block that several pages print is run once. */
  const done = new Set<string>();
  beforeAll(() => {
    const { AWS_REGION: region, NODE_EXTRA_CA_CERTS: certificate } = environment;
    const ofCli = { AWS_DEFAULT_REGION: region, AWS_CA_BUNDLE: certificate };
    session = new DocSession({ ...environment, ...ofCli, CI: "true", CDK_DISABLE_CLI_TELEMETRY: "true" });
    session.connect(REMOTE_URL ?? "");
    // Nobody is there to be asked.
    writeFileSync(join(session.folder, ".cdk.json"), JSON.stringify({ requireApproval: "never" }));
  });
  afterAll(() => session.close());

  it.each(pages.map((page) => [page.path, page] as const))(
    "%s: every command succeeds and prints what the page shows",
    async (path, page) => {
      for (const command of commandsOf(page, "cloud").filter(isRunnable)) {
        if (done.has(command.script)) continue;
        done.add(command.script);
        const place = `${path}:${command.line}: ${command.script}`;
        const { code, printed, complained } = await session.run(command);
        expect(code, `${place}\n${printed}\n${complained}`).toBe(0);
        const other = command.output === undefined ? undefined : difference(command.output, printed);
        if (other !== undefined) expect(other.printed, place).toBe(other.expected);
      }
    },
    PAGE_MS,
  );
});
