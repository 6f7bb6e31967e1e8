/** The synthesized template, checked by a linter of CloudFormation. */
import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";
import { cloudApp } from "../../bin/cloud.ts";
import { pythonIfAny } from "../support/python.ts";

/** W3005: the CDK makes a function depend on its role's policy and on the role, which is redundant but right. */
const IGNORED_RULES = ["W3005"];

/** It knows integrations of the partition `aws` only; test/lib/partitions.test.ts holds them to the stack's own. */
const OF_ANOTHER_PARTITION =
  /:E3601:'arn:\$\{partition\}:states:::states:startExecution\.sync:2' does not match '\^arn:aws:/;

const python = await pythonIfAny("cfn-lint", ["cfn-lint==1.58.0"], "cfn-lint");

const ALL = {
  customerKey: "1",
  retainLogs: "1",
  tracing: "1",
  recoveryDays: "14",
  alarmEmail: "ops@example.com",
  edgeRateLimit: "2000",
};

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** The templates of the deployed app, without the code of the functions, which a template only names. */
function templatesOf(options: Record<string, string>): string[] {
  const assembly = cloudApp({ "aws:cdk:bundling-stacks": [], ...options }).app.synth({ validateOnSynthesis: true });
  folders.push(assembly.directory);
  return assembly.stacks.map(({ templateFullPath }) => templateFullPath);
}

it.skipIf(python === undefined).each<[string, Record<string, string>, number]>([
  ["no option", {}, 1],
  ["all options", ALL, 2],
])("cfn-lint finds no fault in the templates with %s", async (_name, options, stacks) => {
  const templates = templatesOf(options);
  expect(templates).toHaveLength(stacks);
  const settings = ["--format", "parseable", "--ignore-checks", ...IGNORED_RULES, "--template", ...templates];
  const args = ["-c", "import sys; from cfnlint.runner import main; sys.exit(main())", ...settings];
  const said = await promisify(execFile)(python ?? "", args).catch((error: { stdout?: string; message: string }) => ({
    stdout: error.stdout || error.message,
  }));
  const faults = said.stdout.split("\n").filter((line) => line !== "" && !OF_ANOTHER_PARTITION.test(line));
  expect(faults).toEqual([]);
});
