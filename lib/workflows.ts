/** The functions of the steps, the machines that call them, and the rights around machines created at run time. */
import { Stack, Token } from "aws-cdk-lib";
import { PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { ILogGroup } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import { deployedName } from "../statemachines/built-in.ts";
import type { Sources } from "./bundles.ts";
import { addEnvironment, ServiceFunction } from "./functions.ts";
import { Machines } from "./machines.ts";
import type { NodeQueues } from "./node-queues.ts";
import type { ObjectRight, Storage } from "./storage.ts";
import { acknowledgeWildcard } from "./wildcards.ts";

export interface WorkflowsProps {
  sources: Sources;
  storage: Storage;
  /** The steps of all machines by name; each has an entry `step-{name}`. */
  steps: readonly string[];
  /** The definitions of the built-in machines, for `Machines`. */
  machines: Readonly<Record<string, string>>;
  /** The queues of nodes in queue mode. */
  queues: NodeQueues;
  environment: Record<string, string>;
}

interface FunctionSize {
  memoryMegabytes: number;
  timeoutSeconds: number;
}

/** Steps that read a document's bytes. */
const DOCUMENT_STEPS = new Set([
  "recognize",
  "collect",
  "enrich",
  "extract",
  "extract-chunk",
  "extract-node",
  "correct-node",
  "operate",
  "operate-node",
]);
/** Steps that write and fill forms. */
const FORM_STEPS = new Set(["operate", "operate-node"]);
/** Steps that ask a model, or need to know which model there is. */
const MODEL_STEPS = new Set([
  "enrich",
  "describe",
  "extract",
  "chunk",
  "extract-chunk",
  "reduce",
  "operate",
  "operate-node",
  "correct-node",
  "extract-node",
]);
const RECOGNITION_STEPS = new Set(["recognize", "collect"]);
/**
 * Steps that open sealed secrets: passwords of documents, and keys of organizations' own providers, which every step that
 * asks a model or recognises text may need.
 */
const SECRET_STEPS = new Set([...MODEL_STEPS, ...RECOGNITION_STEPS]);

const TEXTRACT_ACTIONS = [
  "AnalyzeDocument",
  "DetectDocumentText",
  "GetDocumentAnalysis",
  "GetDocumentTextDetection",
  "StartDocumentAnalysis",
  "StartDocumentTextDetection",
].map((action) => `textract:${action}`);

/** The time of a run: a longer step is in vain. CPU comes with memory. */
const DOCUMENT_WORK_SIZE: FunctionSize = { memoryMegabytes: 2048, timeoutSeconds: 300 };
const SIZES_BY_STEP: Record<string, FunctionSize> = {
  settle: { memoryMegabytes: 512, timeoutSeconds: 30 },
  "begin-nodes": { memoryMegabytes: 1024, timeoutSeconds: 60 },
  "compute-node": { memoryMegabytes: 1024, timeoutSeconds: 60 },
  "mark-node": { memoryMegabytes: 512, timeoutSeconds: 30 },
  "batch-plan": { memoryMegabytes: 512, timeoutSeconds: 30 },
  "batch-open": { memoryMegabytes: 512, timeoutSeconds: 30 },
  "batch-close": { memoryMegabytes: 512, timeoutSeconds: 30 },
  // Writes the list of up to 10,000 results.
  "batch-settle": { memoryMegabytes: 1024, timeoutSeconds: 300 },
};
/** Rights on organizations' files of steps that do not read documents. */
const OBJECT_RIGHTS_BY_STEP: Record<string, readonly ObjectRight[]> = {
  // The last step copies a pipeline's result to the job's.
  settle: ["Get", "Put"],
  "begin-nodes": ["Get", "Put"],
  "compute-node": ["Get", "Put"],
  "mark-node": ["Get", "Put"],
  "batch-plan": ["Put"],
  "batch-open": ["Get"],
  "batch-close": ["Get", "Put"],
  "batch-settle": ["Get", "Put"],
};
/** Steps that describe and stop executions. */
const EXECUTION_ENDING_STEPS = new Set(["batch-close", "batch-settle"]);

function grantRecognition(role: Role): void {
  role.addToPolicy(new PolicyStatement({ actions: TEXTRACT_ACTIONS, resources: ["*"] }));
  acknowledgeWildcard(role, "*", "recognition");
}

export class Workflows extends Construct {
  /** Prefix of the names of this stack's machines. */
  readonly machinePrefix: string;
  /** Environment of functions that start machines. */
  readonly environment: Record<string, string>;
  /** The role of the machines themselves. */
  readonly machineRole: Role;
  readonly #functions = new Map<string, ServiceFunction>();
  readonly #machines: Machines;

  constructor(scope: Construct, id: string, props: WorkflowsProps) {
    super(scope, id);
    const { storage, queues } = props;
    this.machinePrefix = `${Stack.of(this).stackName}-`;
    this.machineRole = new Role(this, "MachineRole", {
      assumedBy: new ServicePrincipal("states.amazonaws.com"),
      description: "What the service's state machines may do: call its steps, put work on its queue",
    });
    this.#addSteps(props);
    const arns = Object.fromEntries([...this.#functions].map(([step, one]) => [step, one.function.functionArn]));
    // Not `grantInvoke`, which adds every version and alias by a wildcard.
    this.machineRole.addToPolicy(
      new PolicyStatement({ actions: ["lambda:InvokeFunction"], resources: Object.values(arns) }),
    );
    queues.grantSend(this.machineRole);
    this.#grantMachines(storage);
    this.#machines = new Machines(this, "Machines", {
      definitions: props.machines,
      prefix: this.machinePrefix,
      role: this.machineRole,
      steps: arns,
      bucketName: storage.bucket.bucketName,
    });
    const common = {
      SHEAF_MACHINE_PREFIX: this.machinePrefix,
      SHEAF_MACHINE_ROLE: this.machineRole.roleArn,
      SHEAF_MACHINE_LOG: this.#machines.log.logGroupName,
    };
    this.environment = { ...queues.environment, ...common };
    for (const step of EXECUTION_ENDING_STEPS) {
      const one = this.functionOf(step);
      this.grantDescribeAndStop(one.role);
      // They create no machines and need no queues.
      addEnvironment(one, { ...common, SHEAF_NODE_QUEUES: "{}" });
    }
  }

  /**
   * The functions' names derive from the steps', so that functions that create machines need no list of twenty ARNs:
   * environment variables have a limit of 4 KB. A name is in use until its function is deleted, so a construct must not
   * be renamed.
   */
  #addSteps({ sources, storage, steps, environment }: WorkflowsProps): void {
    for (const step of steps) {
      const size = SIZES_BY_STEP[step] ?? DOCUMENT_WORK_SIZE;
      const one = new ServiceFunction(this, `Step-${step}`, {
        sources,
        entry: `step-${step}`,
        name: deployedName(this.machinePrefix, step),
        description: `Sheaf: the step ${step} of a run`,
        environment: MODEL_STEPS.has(step)
          ? { ...environment, SHEAF_MODEL_SECRET: storage.model.secretArn }
          : environment,
        readsDocuments: DOCUMENT_STEPS.has(step),
        fillsTemplates: FORM_STEPS.has(step),
        ...size,
      });
      storage.grantRecords(one.role);
      if (SECRET_STEPS.has(step)) storage.grantPasswords(one);
      if (MODEL_STEPS.has(step)) storage.model.grantRead(one.role);
      if (RECOGNITION_STEPS.has(step)) {
        grantRecognition(one.role);
        // A repeated step finds the pages that are recognised already.
        storage.grantListing(one.role, "org");
      }
      const rights = size === DOCUMENT_WORK_SIZE ? (["Get", "Put"] as const) : OBJECT_RIGHTS_BY_STEP[step];
      if (rights !== undefined) storage.grantObjects(one.role, "org", rights);
      this.#functions.set(step, one);
    }
  }

  /**
   * A batch's machine starts document machines and waits for them, and runs a distributed Map, which starts executions
   * of its own machine. Step Functions hears of their ends through the rule.
   * Source: "IAM policies for calling Step Functions", "Distributed Map", AWS Step Functions Developer Guide.
   */
  #grantMachines(storage: Storage): void {
    const machines = this.#arn("stateMachine", `${this.machinePrefix}*`);
    this.machineRole.addToPolicy(new PolicyStatement({ actions: ["states:StartExecution"], resources: [machines] }));
    acknowledgeWildcard(this.machineRole, this.#asNagWrites(machines), "machines");
    this.grantDescribeAndStop(this.machineRole);
    const { partition, region, account } = Stack.of(this);
    const rule = `arn:${partition}:events:${region}:${account}:rule/StepFunctionsGetEventsForStepFunctionsExecutionRule`;
    this.machineRole.addToPolicy(
      new PolicyStatement({
        actions: ["events:PutTargets", "events:PutRule", "events:DescribeRule"],
        resources: [rule],
      }),
    );
    storage.grantObjects(this.machineRole, "org", ["Get"]);
  }

  /** The log of all machines. */
  get machineLog(): ILogGroup {
    return this.#machines.log;
  }

  /** @throws Error for an unknown step */
  functionOf(step: string): ServiceFunction {
    const one = this.#functions.get(step);
    if (one === undefined) throw new Error(`No function does the step ${step}`);
    return one;
  }

  /** The rights to create and start machines, as the opening of a run does. */
  grantStart(role: Role): void {
    // The machines of a release must exist before functions that start them.
    role.node.addDependency(this.#machines);
    const machines = this.#arn("stateMachine", `${this.machinePrefix}*`);
    role.addToPolicy(
      new PolicyStatement({ actions: ["states:CreateStateMachine", "states:StartExecution"], resources: [machines] }),
    );
    role.addToPolicy(
      new PolicyStatement({
        actions: ["iam:PassRole"],
        resources: [this.machineRole.roleArn],
        conditions: { StringEquals: { "iam:PassedToService": "states.amazonaws.com" } },
      }),
    );
    acknowledgeWildcard(role, this.#asNagWrites(machines), "machines");
  }

  /** The right to delete unused machines. */
  grantRemove(role: Role): void {
    const machines = this.#arn("stateMachine", `${this.machinePrefix}*`);
    role.addToPolicy(new PolicyStatement({ actions: ["states:DeleteStateMachine"], resources: [machines] }));
    acknowledgeWildcard(role, this.#asNagWrites(machines), "machines");
  }

  /** The right to answer Tasks that wait for work; IAM identifies a token by its machine. */
  grantTaskAnswers(role: Role): void {
    const machines = this.#arn("stateMachine", `${this.machinePrefix}*`);
    const actions = ["Success", "Failure", "Heartbeat"].map((answer) => `states:SendTask${answer}`);
    role.addToPolicy(new PolicyStatement({ actions, resources: [machines] }));
    acknowledgeWildcard(role, this.#asNagWrites(machines), "machines");
  }

  grantDescribeAndStop(role: Role): void {
    const actions = ["states:DescribeExecution", "states:StopExecution"];
    const executions = this.#arn("execution", `${this.machinePrefix}*:*`);
    role.addToPolicy(new PolicyStatement({ actions, resources: [executions] }));
    acknowledgeWildcard(role, this.#asNagWrites(executions), "executions");
  }

  #arn(kind: "stateMachine" | "execution", name: string): string {
    const { partition, region, account } = Stack.of(this);
    return `arn:${partition}:states:${region}:${account}:${kind}:${name}`;
  }

  /** In a template for one region, these are known and written out. */
  #asNagWrites(arn: string): string {
    const { partition, region, account } = Stack.of(this);
    const names = { "<AWS::Partition>": partition, "<AWS::Region>": region, "<AWS::AccountId>": account };
    return Object.entries(names).reduce(
      (text, [name, value]) => (Token.isUnresolved(value) ? text.replace(value, name) : text),
      arn,
    );
  }
}
