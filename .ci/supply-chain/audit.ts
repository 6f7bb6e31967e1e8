/** Known vulnerabilities of the packages that a deployment has, as the registry reports them. */
import { spawnSync } from "node:child_process";
import * as z from "zod";

const SEVERITIES = ["info", "low", "moderate", "high", "critical"] as const;
const FAILING: readonly string[] = ["high", "critical"];
/** A registry that does not answer within this time counts as absent. */
const REGISTRY_TIMEOUT_MS = 60_000;

const reportShape = z.object({
  vulnerabilities: z.record(z.string(), z.object({ severity: z.enum(SEVERITIES), range: z.string() })),
});

export interface Verdict {
  verdict: "passed" | "failed" | "skipped";
  sentence: string;
}

/** @param output the standard output of `npm audit --json` */
export function judgeAudit(output: string): Verdict {
  const parsed = reportShape.safeParse(parseJson(output));
  if (!parsed.success) return { verdict: "skipped", sentence: "SKIPPED: no registry answered the audit" };
  const all = Object.entries(parsed.data.vulnerabilities);
  const bad = all.filter(([, { severity }]) => FAILING.includes(severity));
  if (bad.length === 0) {
    return { verdict: "passed", sentence: `audit: no high or critical finding, ${all.length} lower ones` };
  }
  const list = bad.map(([name, { severity, range }]) => `${name} ${range} (${severity})`);
  return { verdict: "failed", sentence: `audit: ${list.join(", ")}; see npm audit --omit=dev` };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function audit(): Verdict {
  const { stdout } = spawnSync("npm", ["audit", "--omit=dev", "--json"], {
    encoding: "utf8",
    timeout: REGISTRY_TIMEOUT_MS,
    // Windows starts npm through a shell only.
    shell: process.platform === "win32",
  });
  return judgeAudit(stdout ?? "");
}
