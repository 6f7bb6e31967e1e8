/** High and critical findings fail the audit; a silent registry is said to be one. */
import { expect, it } from "vitest";
import { judgeAudit } from "../../.ci/supply-chain/audit.ts";

const report = (severity: string): string =>
  JSON.stringify({ auditReportVersion: 2, vulnerabilities: { bad: { name: "bad", severity, range: "<1.2.3" } } });

it("judgeAudit passes without a finding and with lower ones", () => {
  expect(judgeAudit('{"vulnerabilities":{}}').verdict).toBe("passed");
  expect(judgeAudit(report("moderate"))).toEqual({
    verdict: "passed",
    sentence: "audit: no high or critical finding, 1 lower ones",
  });
});

it.each(["high", "critical"])("judgeAudit fails on a %s finding and names it", (severity) => {
  const { verdict, sentence } = judgeAudit(report(severity));
  expect(verdict).toBe("failed");
  expect(sentence).toContain(`bad <1.2.3 (${severity})`);
});

it.each(["", "not JSON", '{"message":"405 Method Not Allowed","statusCode":405}', '{"error":{"code":"ENOTFOUND"}}'])(
  "judgeAudit skips, and says so, for the answer %j",
  (output) => {
    expect(judgeAudit(output)).toEqual({ verdict: "skipped", sentence: "SKIPPED: no registry answered the audit" });
  },
);
