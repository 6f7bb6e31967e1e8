/**
 * The wildcards of the stack's policies, each with the reason for it. cdk-nag is told these and the test of the template
 * holds the policies to them: another wildcard fails both.
 */
import { Validations } from "aws-cdk-lib";
import type { IConstruct } from "constructs";
import { TRACE_FILES } from "../statemachines/pipeline/trace-files.ts";

export const WILDCARDS = {
  objects: "Objects are named at run time; the right ends at the service's own prefix of its own bucket.",
  machines: "State machines are made at run time, named by the hash of what they are; the prefix is this stack's.",
  executions: "Executions are made at run time, of machines whose prefix is this stack's.",
  recognition: "Amazon Textract's actions know no resources.",
  telemetry: "The delivery of machines' logs and their traces know no resources.",
} as const;

/** The objects that are traces of pipelines' runs. */
export const TRACES = `org/*/${TRACE_FILES}*`;

/** What a wildcard is in a policy's resource, and why it is there. */
export interface Wildcard {
  /** The end of the resource's ARN from its last literal part on, such as `/org/*`. */
  ending: string;
  why: keyof typeof WILDCARDS;
}

/** The actions that a policy may grant on any resource, because their service has none. */
export const ANYWHERE =
  /^(textract:[A-Za-z]+|logs:([A-Za-z]+LogDeliver(y|ies)|(Put|Describe)ResourcePolic(y|ies)|DescribeLogGroups)|xray:[A-Za-z]+)$/;

/** Every wildcard that the stack may have. @param machinePrefix begins the names of its state machines */
export const wildcardsOf = (machinePrefix: string): Wildcard[] => [
  { ending: "/org/*", why: "objects" },
  { ending: "/tmp/*", why: "objects" },
  { ending: `/${TRACES}`, why: "objects" },
  { ending: `:stateMachine:${machinePrefix}*`, why: "machines" },
  { ending: `:execution:${machinePrefix}*:*`, why: "executions" },
];

/** Tells cdk-nag why a rule does not apply. */
export function acknowledge(construct: IConstruct, id: string, reason: string): void {
  Validations.of(construct).acknowledge({ id, reason });
}

/** Tells cdk-nag of a wildcard in the policies below a construct. @param resource as cdk-nag writes it */
export function acknowledgeWildcard(construct: IConstruct, resource: string, why: keyof typeof WILDCARDS): void {
  acknowledge(construct, `AwsSolutions-IAM5[Resource::${resource}]`, WILDCARDS[why]);
}
