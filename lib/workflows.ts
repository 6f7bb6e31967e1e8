/** The document machine's functions, and the rights around machines that are made at run time. */
import { Stack } from "aws-cdk-lib";
import { PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import { ServiceFunction, type Sources } from "./functions.ts";
import type { Storage } from "./storage.ts";
import { acknowledgeWildcard } from "./wildcards.ts";

export interface WorkflowsProps {
  sources: Sources;
  storage: Storage;
  /** The steps that machines call, by name; each has an entry `step-{name}`. */
  steps: readonly string[];
  environment: Record<string, string>;
}

interface Size {
  memoryMegabytes: number;
  timeoutSeconds: number;
}

/** The steps that work on a document's bytes, and of them those that have its text recognised. */
const READING = new Set(["recognize", "collect", "enrich", "extract", "extract-chunk"]);
/** The steps that ask a model, or need to know of which there is one. */
const ASKING = new Set(["enrich", "describe", "extract", "chunk", "extract-chunk", "reduce"]);
const RECOGNIZING = new Set(["recognize", "collect"]);

const RECOGNITION = [
  "AnalyzeDocument",
  "DetectDocumentText",
  "GetDocumentAnalysis",
  "GetDocumentTextDetection",
  "StartDocumentAnalysis",
  "StartDocumentTextDetection",
].map((action) => `textract:${action}`);

/** A run has 300 s; what takes a step longer than that is in vain. Processors come with memory. */
const DOCUMENT_WORK: Size = { memoryMegabytes: 2048, timeoutSeconds: 300 };
const SIZES: Record<string, Size> = { settle: { memoryMegabytes: 512, timeoutSeconds: 30 } };

function grantRecognition(role: Role): void {
  role.addToPolicy(new PolicyStatement({ actions: RECOGNITION, resources: ["*"] }));
  acknowledgeWildcard(role, "*", "recognition");
}

export class Workflows extends Construct {
  /** Begins the names of this stack's machines. */
  readonly machinePrefix: string;
  /** What the functions that start machines need to know. */
  readonly environment: Record<string, string>;
  /** What the machines themselves may do. */
  readonly machineRole: Role;
  readonly #functions = new Map<string, ServiceFunction>();

  constructor(scope: Construct, id: string, { sources, storage, steps, environment }: WorkflowsProps) {
    super(scope, id);
    this.machinePrefix = `${Stack.of(this).stackName}-`;
    this.machineRole = new Role(this, "MachineRole", {
      assumedBy: new ServicePrincipal("states.amazonaws.com"),
      description: "What the service's state machines may do: call its steps, put work on its queue",
    });
    const arns: Record<string, string> = {};
    for (const step of steps) {
      const size = SIZES[step] ?? DOCUMENT_WORK;
      const one = new ServiceFunction(this, `Step-${step}`, {
        sources,
        entry: `step-${step}`,
        description: `Sheaf: the step ${step} of a run`,
        environment: ASKING.has(step) ? { ...environment, SHEAF_MODEL_SECRET: storage.model.secretArn } : environment,
        readsDocuments: READING.has(step),
        ...size,
      });
      storage.grantRecords(one.role);
      if (ASKING.has(step)) storage.model.grantRead(one.role);
      if (RECOGNIZING.has(step)) grantRecognition(one.role);
      if (size === DOCUMENT_WORK) storage.grantObjects(one.role, "org", ["Get", "Put"]);
      arns[step] = one.function.functionArn;
      this.#functions.set(step, one);
    }
    // Not `grantInvoke`, which adds every version and alias by a wildcard.
    this.machineRole.addToPolicy(
      new PolicyStatement({ actions: ["lambda:InvokeFunction"], resources: Object.values(arns) }),
    );
    this.environment = {
      SHEAF_MACHINE_PREFIX: this.machinePrefix,
      SHEAF_MACHINE_ROLE: this.machineRole.roleArn,
      SHEAF_STEPS: Stack.of(this).toJsonString(arns),
    };
  }

  /** @throws Error for a step that there is none of */
  functionOf(step: string): ServiceFunction {
    const one = this.#functions.get(step);
    if (one === undefined) throw new Error(`No function does the step ${step}`);
    return one;
  }

  /** Makes machines and starts them, as a run's opening does. */
  grantStart(role: Role): void {
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

  /** To answer Tasks that wait for work; IAM knows a token by its execution's machine. */
  grantTaskAnswers(role: Role): void {
    const machines = this.#arn("stateMachine", `${this.machinePrefix}*`);
    const actions = ["Success", "Failure", "Heartbeat"].map((answer) => `states:SendTask${answer}`);
    role.addToPolicy(new PolicyStatement({ actions, resources: [machines] }));
    acknowledgeWildcard(role, this.#asNagWrites(machines), "machines");
  }

  grantDescribe(role: Role): void {
    this.#grantExecutions(role, ["states:DescribeExecution"]);
  }

  grantDescribeAndStop(role: Role): void {
    this.#grantExecutions(role, ["states:DescribeExecution", "states:StopExecution"]);
  }

  #grantExecutions(role: Role, actions: string[]): void {
    const executions = this.#arn("execution", `${this.machinePrefix}*:*`);
    role.addToPolicy(new PolicyStatement({ actions, resources: [executions] }));
    acknowledgeWildcard(role, this.#asNagWrites(executions), "executions");
  }

  #arn(kind: "stateMachine" | "execution", name: string): string {
    const { partition, region, account } = Stack.of(this);
    return `arn:${partition}:states:${region}:${account}:${kind}:${name}`;
  }

  #asNagWrites(arn: string): string {
    const { partition, region, account } = Stack.of(this);
    return arn
      .replace(partition, "<AWS::Partition>")
      .replace(region, "<AWS::Region>")
      .replace(account, "<AWS::AccountId>");
  }
}
