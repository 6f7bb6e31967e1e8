/** Alarms for silent failures. They notify nobody by default: subscribe to them. */
import { Duration } from "aws-cdk-lib";
import * as cloudwatch from "aws-cdk-lib/aws-cloudwatch";
import { ComparisonOperator, type IMetric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { Construct } from "constructs";
import type { Api } from "./api.ts";
import type { Events } from "./events.ts";
import type { NodeQueues } from "./node-queues.ts";
import type { Work } from "./work.ts";

export interface Observed {
  api: Api;
  events: Events;
  work: Work;
  queues: NodeQueues;
}

export class Observability extends Construct {
  constructor(scope: Construct, id: string, { api, events, work, queues }: Observed) {
    super(scope, id);
    const period = Duration.minutes(5);
    this.#alarm("DeadLetters", events.deadLetters.metricApproximateNumberOfMessagesVisible({ period }), {
      description: "Sheaf: an event could not be worked on; it is in the dead-letter queue",
    });
    this.#alarm("WorkDeadLetters", work.deadLetters.metricApproximateNumberOfMessagesVisible({ period }), {
      description: "Sheaf: work failed at every delivery; it is in the work queue's dead-letter queue",
    });
    this.#alarm("NodeDeadLetters", queues.deadLetters.metricApproximateNumberOfMessagesVisible({ period }), {
      description: "Sheaf: a pipeline's node failed at every delivery; it is in the nodes' dead-letter queue",
    });
    this.#alarm("WorkWaits", work.queue.metricApproximateAgeOfOldestMessage({ period }), {
      description: "Sheaf: work is not worked off; the oldest has waited for an hour",
      atLeast: 3600,
    });
    this.#alarm("SweepFails", events.sweep.function.metricErrors({ period }), {
      description: "Sheaf: sweeps fail; runs whose start was lost stay open",
      periods: 3,
    });
    this.#alarm("ServerErrors", api.api.metricServerError({ period, statistic: "Sum" }), {
      description: "Sheaf: the API answers 5xx",
      atLeast: 5,
    });
  }

  #alarm(
    id: string,
    metric: IMetric,
    { description, atLeast = 1, periods = 1 }: { description: string; atLeast?: number; periods?: number },
  ): void {
    new cloudwatch.Alarm(this, id, {
      metric,
      alarmDescription: description,
      threshold: atLeast,
      evaluationPeriods: periods,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }
}
