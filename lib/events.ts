/** Scheduled and event-driven work: the sweep, and the settling of executions that ended badly. */
import { Duration, Stack } from "aws-cdk-lib";
import * as events from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import type { Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { Sources } from "./bundles.ts";
import { queueOf } from "./deployment.ts";
import { ServiceFunction } from "./functions.ts";
import type { Storage } from "./storage.ts";
import { acknowledge } from "./wildcards.ts";
import type { Work } from "./work.ts";
import type { Workflows } from "./workflows.ts";

export interface EventsProps {
  sources: Sources;
  storage: Storage;
  workflows: Workflows;
  work: Work;
  environment: Record<string, string>;
}

const SWEEP_INTERVAL = Duration.minutes(5);

export class Events extends Construct {
  readonly sweep: ServiceFunction;
  readonly status: ServiceFunction;
  /** Events that could not be delivered or processed. */
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, { sources, storage, workflows, work, environment }: EventsProps) {
    super(scope, id);
    this.deadLetters = queueOf(this, "DeadLetters", { retentionPeriod: Duration.days(14) });
    acknowledge(this.deadLetters, "AwsSolutions-SQS3", "This queue is where others' dead letters go.");

    const { serverKey, apiKeys } = storage;
    this.sweep = new ServiceFunction(this, "Sweep", {
      sources,
      entry: "sweep",
      description: "Sheaf: starts what was not started, settles what is late, keeps the API keys",
      memoryMegabytes: 512,
      timeoutSeconds: 280,
      deadLetters: this.deadLetters,
      environment: {
        ...environment,
        ...workflows.environment,
        SHEAF_SERVER_KEY_SECRET: serverKey.secretArn,
        SHEAF_API_KEYS_SECRET: apiKeys.secretArn,
      },
    });
    storage.grantRecords(this.sweep.role);
    storage.grantObjects(this.sweep.role, "org", ["Delete"]);
    storage.grantTraces(this.sweep.role);
    serverKey.grantRead(this.sweep.role);
    apiKeys.grantRead(this.sweep.role);
    workflows.grantStart(this.sweep.role);
    workflows.grantRemove(this.sweep.role);
    workflows.grantDescribeAndStop(this.sweep.role);
    work.addSender(this.sweep);

    this.status = new ServiceFunction(this, "Status", {
      sources,
      entry: "execution-status",
      description: "Sheaf: settles the run of an execution that ended badly",
      memoryMegabytes: 512,
      timeoutSeconds: 30,
      deadLetters: this.deadLetters,
      environment: { ...environment, ...workflows.environment },
    });
    storage.grantRecords(this.status.role);
    storage.grantTraces(this.status.role);
    workflows.grantDescribeAndStop(this.status.role);
    work.addSender(this.status);
    this.#addRules(workflows);
  }

  #addRules({ machinePrefix }: Workflows): void {
    const { deadLetters: deadLetterQueue } = this;
    new events.Rule(this, "SweepSchedule", {
      description: "Sheaf: the sweep",
      schedule: events.Schedule.rate(SWEEP_INTERVAL),
      targets: [new LambdaFunction(this.sweep.function, { retryAttempts: 0, deadLetterQueue })],
    });
    const { partition, region, account } = Stack.of(this);
    const machines = events.Match.prefix(`arn:${partition}:states:${region}:${account}:stateMachine:${machinePrefix}`);
    new events.Rule(this, "ExecutionStatus", {
      description: "Sheaf: executions that ended badly",
      eventPattern: {
        source: ["aws.states"],
        detailType: ["Step Functions Execution Status Change"],
        detail: { status: ["FAILED", "TIMED_OUT", "ABORTED"], stateMachineArn: machines },
      },
      targets: [
        new LambdaFunction(this.status.function, {
          retryAttempts: 10,
          maxEventAge: Duration.hours(2),
          deadLetterQueue,
        }),
      ],
    });
  }
}
