/** The whole service as one stack. */
import { CfnOutput, Stack, type StackProps } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { Api, type ApiRoute } from "./api.ts";
import type { Sources } from "./bundles.ts";
import { type DeploymentOptions, openDeployment } from "./deployment.ts";
import { Edge } from "./edge.ts";
import { Events } from "./events.ts";
import { NodeQueues } from "./node-queues.ts";
import { NodeWorkers } from "./node-workers.ts";
import { Observability } from "./observability.ts";
import { Storage, type TableShape } from "./storage.ts";
import { Templates } from "./templates.ts";
import { Work } from "./work.ts";
import { Workflows } from "./workflows.ts";

export interface SheafStackProps extends StackProps, DeploymentOptions {
  version: string;
  sources: Sources;
  table: TableShape;
  /** The route table by resource. */
  resources: Readonly<Record<string, readonly ApiRoute[]>>;
  /** The steps of all machines. */
  steps: readonly string[];
  /** The definitions of the built-in machines, for `Machines`. */
  machines: Readonly<Record<string, string>>;
  /** The service's limits, by environment name. */
  settings?: Record<string, string>;
  /** Reserved concurrency of each function of the API, so that documents in process do not block it. */
  apiConcurrency?: number;
  /** The service's address, as its callers know it; absent: the gateway's own. */
  publicUrl?: string;
  /** Settings of the API, such as SHEAF_RATE_LIMIT. */
  apiSettings: Record<string, string>;
  /** Settings of all functions. */
  everywhere?: Record<string, string>;
  /** Name of the EdgeStack, for an API behind CloudFront. */
  edgeStack?: string;
  /** Address to which alarms are sent, besides the topic's other subscribers. */
  alarmEmail?: string;
}

export class SheafStack extends Stack {
  /** Prefix of the names of the service's state machines. */
  readonly machinePrefix: string;

  constructor(scope: Construct, id: string, props: SheafStackProps) {
    super(scope, id, props);
    const { sources, version, resources, steps, machines, settings = {}, apiConcurrency } = props;
    openDeployment(this, props);
    const storage = new Storage(this, "Storage", { table: props.table });
    const environment = {
      SHEAF_TABLE: storage.table.tableName,
      SHEAF_BUCKET: storage.bucket.bucketName,
      SHEAF_METRICS: this.stackName,
      ...props.everywhere,
    };
    const queues = new NodeQueues(this, "Nodes");
    const workflows = new Workflows(this, "Workflows", { sources, storage, steps, machines, queues, environment });
    new NodeWorkers(this, "NodeWorkers", { sources, storage, workflows, queues, environment });
    this.machinePrefix = workflows.machinePrefix;
    const reserved = apiConcurrency === undefined ? {} : { concurrency: apiConcurrency };
    const templates = new Templates(this, "Templates", { sources, storage, environment, ...reserved });
    const work = new Work(this, "Work", { sources, storage, workflows, templates, environment });
    const { edgeStack } = props;
    const edge = edgeStack === undefined ? undefined : new Edge(this, "Edge", { sources, edgeStack, environment });
    const api = new Api(this, "Api", {
      sources,
      storage,
      workflows,
      work,
      templates,
      resources,
      environment: { ...environment, ...props.apiSettings },
      version,
      settings,
      ...(props.publicUrl === undefined ? {} : { publicUrl: props.publicUrl }),
      ...(edge === undefined ? {} : { authorizer: edge.authorizer }),
      ...reserved,
    });
    const events = new Events(this, "Events", {
      sources,
      storage,
      workflows,
      work,
      environment: { ...environment, ...settings },
    });
    const email = props.alarmEmail === undefined ? {} : { email: props.alarmEmail };
    const observed = { storage, api, events, work, queues, workflows, templates, ...email };
    const { topic } = new Observability(this, "Observability", observed);

    const outputs = {
      ApiUrl: edge?.publish(api.api) ?? api.api.apiEndpoint,
      ApiId: api.api.apiId,
      ...storage.outputs,
      AlarmTopic: topic.topicArn,
      SweepFunction: events.sweep.function.functionName,
      DeadLetterQueue: events.deadLetters.queueUrl,
      WorkDeadLetterQueue: work.deadLetters.queueUrl,
      NodeDeadLetterQueue: queues.deadLetters.queueUrl,
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }
}
