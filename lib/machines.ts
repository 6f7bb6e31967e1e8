/**
 * The state machines of the stack. A release changes a machine in place: running executions keep the definition that
 * they started with, while executions of a deleted machine end at their next state. Machines of pipelines are created
 * at run time and write to the same log.
 * Source: UpdateStateMachine and DeleteStateMachine, AWS Step Functions API Reference.
 */
import { Stack } from "aws-cdk-lib";
import type { Role } from "aws-cdk-lib/aws-iam";
import type { LogGroup } from "aws-cdk-lib/aws-logs";
import { DefinitionBody, LogLevel, StateMachine } from "aws-cdk-lib/aws-stepfunctions";
import { Construct } from "constructs";
import { deployedName } from "../statemachines/built-in.ts";
import { logGroupOf, nameSuffixOf } from "./deployment.ts";
import { acknowledgeWildcard } from "./wildcards.ts";

export interface MachinesProps {
  /** Amazon States Language as JSON text by name, with `variable()` for values of CloudFormation. */
  definitions: Readonly<Record<string, string>>;
  /** Prefix of the machines' names. */
  prefix: string;
  role: Role;
  /** ARNs of functions by step. */
  steps: Readonly<Record<string, string>>;
  bucketName: string;
}

/** A definition is a single literal, which linters can read; CloudFormation substitutes these variables. */
const variableOf = (name: string): string => name.replaceAll("-", "_");
export const variable = (name: string): string => `\${${variableOf(name)}}`;

export class Machines extends Construct {
  /** Has the name prefix that AWS recommends, which keeps the account's log resource policy small. */
  readonly log: LogGroup;

  constructor(scope: Construct, id: string, { definitions, prefix, role, steps, bucketName }: MachinesProps) {
    super(scope, id);
    const { stackName, partition, region, account } = Stack.of(this);
    const logGroupName = `/aws/vendedlogs/states/${stackName}${nameSuffixOf(this)}`;
    this.log = logGroupOf(this, "Log", { logGroupName });
    const values = Object.entries({ ...steps, bucket: bucketName, partition, region, account });
    for (const [name, definition] of Object.entries(definitions)) {
      const used = values.filter(([known]) => definition.includes(variable(known)));
      new StateMachine(this, name, {
        stateMachineName: deployedName(prefix, name),
        definitionBody: DefinitionBody.fromString(definition),
        definitionSubstitutions: Object.fromEntries(used.map(([known, value]) => [variableOf(known), value])),
        role,
        // Logs every state, and never its input.
        logs: { destination: this.log, level: LogLevel.ALL, includeExecutionData: false },
        tracingEnabled: true,
      });
    }
    acknowledgeWildcard(role, "*", "telemetry");
  }
}
