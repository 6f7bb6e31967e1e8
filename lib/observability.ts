/** Alarms for silent failures, and the topic that they notify. */
import { Duration, Stack } from "aws-cdk-lib";
import * as cloudwatch from "aws-cdk-lib/aws-cloudwatch";
import { ComparisonOperator, type IMetric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import { FilterPattern, type ILogGroup, MetricFilter } from "aws-cdk-lib/aws-logs";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import { Construct } from "constructs";
import type { Api } from "./api.ts";
import { deploymentOf } from "./deployment.ts";
import type { Events } from "./events.ts";
import type { NodeQueues } from "./node-queues.ts";
import type { Storage } from "./storage.ts";
import { acknowledge } from "./wildcards.ts";
import type { Work } from "./work.ts";
import type { Workflows } from "./workflows.ts";

export interface Observed {
  storage: Storage;
  api: Api;
  events: Events;
  work: Work;
  queues: NodeQueues;
  workflows: Workflows;
  /** Subscribed to the topic; its owner confirms the subscription. */
  email?: string;
}

interface AlarmProps {
  description: string;
  /** Threshold; default 1. */
  atLeast?: number;
  /** Periods in a row; default 1. */
  periods?: number;
}

const PERIOD = Duration.minutes(5);
/** Calls that wait for a job take up to 28 s, so only a slow majority tells of a slow service. */
const SLOW_MEDIAN_MS = 5_000;
/** Throttled calls in 5 minutes. Single ones are tried again and pass. */
const MANY_THROTTLES = 20;

export class Observability extends Construct {
  /** Receives every alarm, and its end. */
  readonly topic: Topic;

  constructor(scope: Construct, id: string, observed: Observed) {
    super(scope, id);
    this.topic = this.#topic(observed.email);
    this.#watchQueues(observed);
    this.#watchWork(observed);
    this.#watchThrottles(observed);
  }

  #topic(email: string | undefined): Topic {
    const { key } = deploymentOf(this);
    const topic = new Topic(this, "Alarms", {
      displayName: "Sheaf alarms",
      enforceSSL: true,
      ...(key === undefined ? {} : { masterKey: key }),
    });
    if (email !== undefined) topic.addSubscription(new EmailSubscription(email));
    if (key === undefined) {
      acknowledge(
        topic,
        "AwsSolutions-SNS2",
        "Alarms cannot publish under the service's own key, and name metrics alone; customerKey encrypts them.",
      );
    }
    return topic;
  }

  #watchQueues({ events, work, queues }: Observed): void {
    const visible = { period: PERIOD };
    this.#alarm("DeadLetters", events.deadLetters.metricApproximateNumberOfMessagesVisible(visible), {
      description: "Sheaf: an event could not be worked on; it is in the dead-letter queue",
    });
    this.#alarm("WorkDeadLetters", work.deadLetters.metricApproximateNumberOfMessagesVisible(visible), {
      description: "Sheaf: work failed at every delivery; it is in the work queue's dead-letter queue",
    });
    this.#alarm("NodeDeadLetters", queues.deadLetters.metricApproximateNumberOfMessagesVisible(visible), {
      description: "Sheaf: a pipeline's node failed at every delivery; it is in the nodes' dead-letter queue",
    });
    this.#alarm("WorkWaits", work.queue.metricApproximateAgeOfOldestMessage({ period: PERIOD }), {
      description: "Sheaf: work is not worked off; the oldest has waited for an hour",
      atLeast: 3600,
    });
  }

  #watchWork({ events, api, workflows }: Observed): void {
    this.#alarm("SweepFails", events.sweep.function.metricErrors({ period: PERIOD }), {
      description: "Sheaf: sweeps fail; runs whose start was lost stay open",
      periods: 3,
    });
    this.#alarm("ExecutionsFail", this.#failedExecutions(workflows.machineLog), {
      description: "Sheaf: executions of state machines fail or time out; their jobs are FAILED",
    });
    this.#alarm("ServerErrors", api.api.metricServerError({ period: PERIOD, statistic: "Sum" }), {
      description: "Sheaf: the API answers 5xx",
      atLeast: 5,
    });
    this.#alarm("SlowAnswers", api.api.metricLatency({ period: PERIOD, statistic: "p50" }), {
      description: "Sheaf: half of the API's answers take 5 seconds or longer",
      atLeast: SLOW_MEDIAN_MS,
      periods: 3,
    });
  }

  /**
   * Counted in the machines' log, which pipelines' machines share, made at run time as they are. A document that cannot
   * be read is no failed execution: its run is settled.
   */
  #failedExecutions(logGroup: ILogGroup): IMetric {
    const endsOf = ["ExecutionFailed", "ExecutionTimedOut"].map((type) =>
      FilterPattern.stringValue("$.type", "=", type),
    );
    const filter = new MetricFilter(this, "FailedExecutions", {
      logGroup,
      filterPattern: FilterPattern.any(...endsOf),
      metricNamespace: Stack.of(this).stackName,
      metricName: "failed_executions",
    });
    return filter.metric({ period: PERIOD, statistic: "Sum" });
  }

  #watchThrottles({ storage }: Observed): void {
    const sum = { period: PERIOD, statistic: "Sum" };
    // One alarm for all functions: they share the account's executions.
    const throttles = new cloudwatch.Metric({ namespace: "AWS/Lambda", metricName: "Throttles", ...sum });
    this.#alarm("FunctionThrottles", throttles, {
      description: "Sheaf: the account has too few concurrent executions; ask AWS for more, or slow the starts of runs",
      atLeast: MANY_THROTTLES,
    });
    for (const [id, metricName] of Object.entries({ Reads: "ReadThrottleEvents", Writes: "WriteThrottleEvents" })) {
      this.#alarm(`Throttled${id}`, storage.table.metric(metricName, sum), {
        description: `Sheaf: DynamoDB throttles ${id.toLowerCase()} of the table of records`,
        atLeast: MANY_THROTTLES,
      });
    }
  }

  #alarm(id: string, metric: IMetric, { description, atLeast = 1, periods = 1 }: AlarmProps): void {
    const alarm = new cloudwatch.Alarm(this, id, {
      metric,
      alarmDescription: description,
      threshold: atLeast,
      evaluationPeriods: periods,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    const action = new SnsAction(this.topic);
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
  }
}
