/** The synthesized template, read by a linter that knows what CloudFormation takes. */
import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";
import { cloudApp } from "../../bin/cloud.ts";
import { pythonIfAny } from "../support/python.ts";

/** W3005: the CDK lets a function wait for its role's policy, and for the role with it, which is needless but right. */
const OFF = ["W3005"];

const python = await pythonIfAny("cfn-lint", ["cfn-lint==1.58.0"], "cfn-lint");

/** Of the app as it is deployed, but for the functions' code, which the template names only. */
const assembly =
  python === undefined
    ? undefined
    : cloudApp({ "aws:cdk:bundling-stacks": [] }).app.synth({ validateOnSynthesis: true });
afterAll(() => {
  if (assembly !== undefined) rmSync(assembly.directory, { recursive: true });
});

it.skipIf(python === undefined)("the template has no fault", async () => {
  const templates = assembly?.stacks.map(({ templateFullPath }) => templateFullPath) ?? [];
  expect(templates.length).toBeGreaterThan(0);
  const settings = ["--format", "parseable", "--ignore-checks", ...OFF, "--template", ...templates];
  const args = ["-c", "import sys; from cfnlint.runner import main; sys.exit(main())", ...settings];
  const said = await promisify(execFile)(python ?? "", args).catch((error: { stdout?: string; message: string }) => ({
    stdout: error.stdout || error.message,
  }));
  expect(said.stdout).toBe("");
});
