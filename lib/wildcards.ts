/**
 * The wildcards of the stack's policies, each with its reason. cdk-nag and the test of the template accept only these.
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

/** The traces of pipelines' runs. */
export const TRACE_OBJECTS = `org/*/${TRACE_FILES}*`;

/** What is known of templates beside their documents (functions/service/templates/template-records.ts). */
export const TEMPLATE_FACTS = "org/*/templates/*.json";

/** The documents and the commands of jobs (functions/service/runs/job-records.ts). */
export const TAKEN_UPLOADS = ["org/*/jobs/*/source", "org/*/jobs/*/commands/*"];

/** Passages and indexes of knowledge bases (functions/service/knowledge/knowledge-records.ts). */
export const KNOWLEDGE_OBJECTS = "org/*/knowledge/*";

/** A wildcard in a policy's resource. */
export interface Wildcard {
  /** The end of the resource's ARN from its last literal part on, such as `/org/*`. */
  ending: string;
  why: keyof typeof WILDCARDS;
}

/** Actions without resource-level permissions, which need the resource `*`. */
export const ACTIONS_WITHOUT_RESOURCE =
  /^(textract:[A-Za-z]+|logs:([A-Za-z]+LogDeliver(y|ies)|(Put|Describe)ResourcePolic(y|ies)|DescribeLogGroups)|xray:[A-Za-z]+)$/;

/** All wildcards of the stack. @param machinePrefix prefix of the names of its state machines */
export const wildcardsOf = (machinePrefix: string): Wildcard[] => [
  { ending: "/org/*", why: "objects" },
  { ending: "/tmp/*", why: "objects" },
  { ending: `/${TRACE_OBJECTS}`, why: "objects" },
  { ending: `/${TEMPLATE_FACTS}`, why: "objects" },
  ...TAKEN_UPLOADS.map((objects) => ({ ending: `/${objects}`, why: "objects" as const })),
  { ending: `/${KNOWLEDGE_OBJECTS}`, why: "objects" },
  { ending: `:stateMachine:${machinePrefix}*`, why: "machines" },
  { ending: `:execution:${machinePrefix}*:*`, why: "executions" },
];

/** Tells cdk-nag why a rule does not apply. */
export function acknowledge(construct: IConstruct, id: string, reason: string): void {
  Validations.of(construct).acknowledge({ id, reason });
}

/** Acknowledges a wildcard in the policies below a construct. @param resource as cdk-nag writes it */
export function acknowledgeWildcard(construct: IConstruct, resource: string, why: keyof typeof WILDCARDS): void {
  acknowledge(construct, `AwsSolutions-IAM5[Resource::${resource}]`, WILDCARDS[why]);
}
