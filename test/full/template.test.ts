/** The synthesized template, checked by a linter of CloudFormation. */
import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";
import { cloudApp } from "../../bin/cloud.ts";
import { pythonIfAny } from "../support/python.ts";

/** W3005: the CDK makes a function depend on its role's policy and on the role, which is redundant but right. */
const IGNORED_RULES = ["W3005"];

const python = await pythonIfAny("cfn-lint", ["cfn-lint==1.58.0"], "cfn-lint");

/** The deployed app, without the code of the functions, which the template only names. */
const assembly =
  python === undefined
    ? undefined
    : cloudApp({ "aws:cdk:bundling-stacks": [] }).app.synth({ validateOnSynthesis: true });
afterAll(() => {
  if (assembly !== undefined) rmSync(assembly.directory, { recursive: true });
});

it.skipIf(python === undefined)("cfn-lint finds no fault in the template", async () => {
  const templates = assembly?.stacks.map(({ templateFullPath }) => templateFullPath) ?? [];
  expect(templates.length).toBeGreaterThan(0);
  const settings = ["--format", "parseable", "--ignore-checks", ...IGNORED_RULES, "--template", ...templates];
  const args = ["-c", "import sys; from cfnlint.runner import main; sys.exit(main())", ...settings];
  const said = await promisify(execFile)(python ?? "", args).catch((error: { stdout?: string; message: string }) => ({
    stdout: error.stdout || error.message,
  }));
  expect(said.stdout).toBe("");
});
