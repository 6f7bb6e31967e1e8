/** The stack's template, synthesized without bundling, and ways to read it. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { cloudApp } from "../../bin/cloud.ts";

export const ROOT = resolve(import.meta.dirname, "../..");
export const { context } = JSON.parse(readFileSync(resolve(ROOT, "cdk.json"), "utf8"));

/**
 * A stack's template. CloudFormation's own rules, of which a finding fails no synthesis, are two thirds of its time:
 * options.test.ts and test/full/template.test.ts apply them.
 */
export function templateOf(stack: Stack): Template {
  process.env.CDK_VALIDATION = "false";
  try {
    return Template.fromStack(stack);
  } finally {
    delete process.env.CDK_VALIDATION;
  }
}

export const { stack } = cloudApp({ ...context, "aws:cdk:bundling-stacks": [] });
export const template = templateOf(stack);

interface Resource {
  Properties: { [name: string]: unknown };
}
export interface Statement {
  Effect: string;
  Action: string | string[];
  Resource?: unknown;
  Condition?: unknown;
}

export const resources = (type: string): Record<string, Resource> =>
  template.findResources(type) as Record<string, Resource>;
export const list = <T>(value: T | T[]): T[] => (Array.isArray(value) ? value : [value]);

/** A value with intrinsic functions as text: `Records.Arn` for Fn::GetAtt, the name for Ref. */
export function text(value: unknown): string {
  if (typeof value === "string") return value;
  const [[name, argument] = []] = Object.entries(value as Record<string, unknown>);
  if (name === "Ref") return String(argument);
  if (name === "Fn::GetAtt") return (argument as string[]).join(".");
  if (name === "Fn::Join") return ((argument as [string, unknown[]])[1] ?? []).map(text).join("");
  throw new Error(`No text for ${JSON.stringify(value)}`);
}

/** The statements of a role, by its logical id. */
export const statementsOf = (role: string): Statement[] =>
  Object.values(resources("AWS::IAM::Policy"))
    .filter(({ Properties }) => (Properties.Roles as unknown[]).some((one) => text(one) === role))
    .flatMap(({ Properties }) => (Properties.PolicyDocument as { Statement: Statement[] }).Statement);

export const functions = Object.entries(resources("AWS::Lambda::Function")).map(([id, { Properties }]) => ({
  id,
  description: String(Properties.Description),
  properties: Properties,
  rights: statementsOf(text(Properties.Role).replace(/\.Arn$/, "")),
}));

/** The one function whose description ends with this. @throws Error when there is none or more than one */
export function functionOf(ending: string): (typeof functions)[number] {
  const [found, ...more] = functions.filter(({ description }) => description.endsWith(ending));
  if (found === undefined || more.length > 0) throw new Error(`Not one function is described so: ${ending}`);
  return found;
}
