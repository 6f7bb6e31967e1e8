/**
 * The state machines that the stack itself makes. A release that changes one changes it in place: what runs goes on by
 * the definition that it began with, while executions of a machine that is deleted end at their next state. Machines of
 * pipelines are made at run time; they write to the same log.
 * Source: UpdateStateMachine and DeleteStateMachine, AWS Step Functions API Reference.
 */
import { RemovalPolicy, Stack } from "aws-cdk-lib";
import type { Role } from "aws-cdk-lib/aws-iam";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import { DefinitionBody, LogLevel, StateMachine } from "aws-cdk-lib/aws-stepfunctions";
import { Construct } from "constructs";
import { deployedName } from "../statemachines/built-in.ts";
import { acknowledgeWildcard } from "./wildcards.ts";

export interface MachinesProps {
  /** Amazon States Language as JSON text by name, with the variables below for what CloudFormation knows. */
  definitions: Readonly<Record<string, string>>;
  /** Begins the machines' names. */
  prefix: string;
  role: Role;
  /** ARNs of functions by step. */
  steps: Readonly<Record<string, string>>;
  bucketName: string;
}

/** A definition is one literal, which linters can read, and CloudFormation puts values for these. */
const variableOf = (name: string): string => name.replaceAll("-", "_");
export const variable = (name: string): string => `\${${variableOf(name)}}`;

export class Machines extends Construct {
  /** Begins as AWS advises: the policy by which others' log groups are written to is small. */
  readonly log: LogGroup;

  constructor(scope: Construct, id: string, { definitions, prefix, role, steps, bucketName }: MachinesProps) {
    super(scope, id);
    const { stackName, partition, region, account } = Stack.of(this);
    this.log = new LogGroup(this, "Log", {
      logGroupName: `/aws/vendedlogs/states/${stackName}`,
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const values = Object.entries({ ...steps, bucket: bucketName, partition, region, account });
    for (const [name, definition] of Object.entries(definitions)) {
      const used = values.filter(([known]) => definition.includes(variable(known)));
      new StateMachine(this, name, {
        stateMachineName: deployedName(prefix, name),
        definitionBody: DefinitionBody.fromString(definition),
        definitionSubstitutions: Object.fromEntries(used.map(([known, value]) => [variableOf(known), value])),
        role,
        // Every state, and never what it was given.
        logs: { destination: this.log, level: LogLevel.ALL, includeExecutionData: false },
        tracingEnabled: true,
      });
    }
    acknowledgeWildcard(role, "*", "telemetry");
  }
}
