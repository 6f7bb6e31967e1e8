/** Workflows on AWS Step Functions: Standard state machines whose Tasks are Lambda functions. */
import {
  CreateStateMachineCommand,
  DeleteStateMachineCommand,
  DescribeExecutionCommand,
  ExecutionAlreadyExists,
  ExecutionDoesNotExist,
  GetExecutionHistoryCommand,
  type LoggingConfiguration,
  type SFNClient,
  StartExecutionCommand,
  StateMachineAlreadyExists,
  StateMachineDeleting,
  StopExecutionCommand,
} from "@aws-sdk/client-sfn";
import type { Clock } from "../../ports/clock.ts";
import { ServiceUnavailable } from "../../ports/errors.ts";
import type { Json } from "../../ports/json.ts";
import type { Records } from "../../ports/records.ts";
import type { Execution, HistoryEvent, StateMachineDefinition, Workflows } from "../../ports/workflows.ts";
import { canonicalJson } from "../workflows-json.ts";
import { checkStart, cutCause, cutName } from "../workflows-limits.ts";
import { callPatiently } from "./service-calls.ts";
import { type Claims, openClaims, openReservations } from "./workflows-claims.ts";
import {
  isNoMachine,
  isTransient,
  machineNotReady,
  unknownExecution,
  unknownMachine,
  workflowFailure,
} from "./workflows-errors.ts";
import { executionOf, historyOf } from "./workflows-history.ts";
import { type EmittedMachine, emitMachine, MAX_PREFIX_CHARACTERS, statesArn } from "./workflows-machine.ts";

export interface StepFunctionsOptions {
  client: SFNClient;
  /** Stores the machine of each execution, under `sys/executions/`. */
  records: Records;
  clock: Pick<Clock, "now" | "sleep">;
  /** Account (12 digits), region (`eu-central-1`) and partition (default `aws`) of the machines. */
  accountId: string;
  region: string;
  partition?: string;
  /** Role of the machines: may invoke the steps and write to the log group. */
  roleArn: string;
  /** ARNs of Lambda functions by the name in a Task's `${name}`. */
  steps: Readonly<Record<string, string>>;
  /** URLs of the node queues, by tier; absent: no machine queues nodes. */
  nodeQueues?: Readonly<Record<string, string>>;
  /** Prefix of machine names, for a deployment's IAM policies and rules: up to 48 of A-Z a-z 0-9 - _ */
  namePrefix: string;
  /** Receives the states of executions, never their data. */
  logGroupArn?: string;
  /** Machines that the deployment creates and updates, by name; this driver creates none of them. */
  deployed?: Readonly<Record<string, StateMachineDefinition>>;
  /** Bucket of the file store, for distributed Maps. */
  bucket?: string;
  /** From 0 to below 1; default Math.random. */
  random?: () => number;
}

/** Most events of a history request, the service's limit; events without payloads are small. */
const MAX_PAGE_EVENTS = 1000;
/** Cached names of created machines; the oldest are dropped first. */
const MAX_REMEMBERED_MACHINES = 1000;
/** Most times a start follows its name's claim to another machine. */
const MAX_CLAIM_MOVES = 3;

const ACCOUNT = /^\d{12}$/;
const REGION = /^[a-z]{2}(-[a-z0-9]+)+$/;
const NAME_PREFIX = new RegExp(`^[A-Za-z0-9_-]{1,${MAX_PREFIX_CHARACTERS}}$`);

/** The log group's ARN as Step Functions wants it, with `:*` at its end. */
const loggingConfiguration = (logGroupArn: string): LoggingConfiguration => ({
  level: "ALL",
  includeExecutionData: false,
  destinations: [
    { cloudWatchLogsLogGroup: { logGroupArn: logGroupArn.endsWith(":*") ? logGroupArn : `${logGroupArn}:*` } },
  ],
});

class StepFunctionsWorkflows implements Workflows {
  readonly #options: StepFunctionsOptions;
  readonly #claims: Claims;
  readonly #made = new Map<string, Promise<void>>();
  /** Deployed machine names by their definition. */
  readonly #deployed: ReadonlyMap<string, string>;

  constructor(options: StepFunctionsOptions) {
    this.#options = options;
    const deployed = Object.entries(options.deployed ?? {});
    this.#deployed = new Map(deployed.map(([name, definition]) => [canonicalJson(definition), name]));
    this.#claims = openClaims(options.records, options.clock);
  }

  async ensureMachine(definition: StateMachineDefinition): Promise<string> {
    const deployed = this.#deployed.get(canonicalJson(definition));
    if (deployed !== undefined) return deployed;
    const machine = emitMachine(definition, this.#options);
    await (this.#made.get(machine.name) ?? this.#keep(machine.name, this.#create(machine)));
    return machine.name;
  }

  async removeMachine(machine: string): Promise<void> {
    this.#made.delete(machine);
    const input = { stateMachineArn: this.#arn("stateMachine", machine) };
    try {
      await this.#call(() => this.#options.client.send(new DeleteStateMachineCommand(input)));
    } catch (error) {
      if (!isNoMachine(error)) throw workflowFailure(error);
    }
  }

  async start(machine: string, name: string, input: Json): Promise<{ started: boolean }> {
    checkStart(name, input);
    // Equal values give equal bytes: Step Functions accepts a repeated start only with the same input.
    const text = canonicalJson(input);
    let claim = await this.#claims.claim(name, machine);
    // With an equal input, a start by a machine looks like this one.
    if (claim.reserved && !claim.started && (await this.describe(name)) !== undefined) return { started: false };
    for (let move = 0; move < MAX_CLAIM_MOVES; move += 1) {
      const outcome = await this.#startOn(claim.machine, name, text, machine);
      // Ended, or started with another input.
      if (outcome === "known") return { started: false };
      // Started by this call or an earlier equal one; the first to mark the claim is the starter.
      if (outcome === "running") return { started: !claim.started && (await this.#claims.markStarted(claim)) };
      // The claimed machine is deleted, with all its executions.
      claim = await this.#claims.move(claim, machine);
    }
    throw new ServiceUnavailable("The execution's machine changes too fast; try again", { retryAfter: 5 });
  }

  reserve(machine: string, name: string): Promise<string> {
    return openReservations(this.#options.records, this.#options.clock).reserve(machine, name);
  }

  async describe(name: string): Promise<Execution | undefined> {
    const claim = await this.#claims.find(name);
    if (claim === undefined) return undefined;
    const command = () => new DescribeExecutionCommand({ executionArn: this.#executionArn(claim.machine, name) });
    try {
      return executionOf(name, claim.machine, await this.#call(() => this.#options.client.send(command())));
    } catch (error) {
      if (error instanceof ExecutionDoesNotExist) return undefined;
      throw workflowFailure(error);
    }
  }

  async stop(name: string, error: string, cause: string): Promise<void> {
    const executionArn = await this.#arnOf(name);
    const input = { executionArn, error: cutName(error), cause: cutCause(cause) };
    try {
      await this.#call(() => this.#options.client.send(new StopExecutionCommand(input)));
    } catch (failure) {
      const execution = failure instanceof ExecutionDoesNotExist ? undefined : await this.describe(name);
      if (execution === undefined) throw unknownExecution(failure);
      if (execution.status === "RUNNING") throw workflowFailure(failure);
    }
  }

  async history(
    name: string,
    { cursor }: { cursor?: string } = {},
  ): Promise<{ events: HistoryEvent[]; cursor?: string }> {
    const input = {
      executionArn: await this.#arnOf(name),
      includeExecutionData: false,
      maxResults: MAX_PAGE_EVENTS,
      ...(cursor === undefined ? {} : { nextToken: cursor }),
    };
    try {
      const page = await this.#call(() => this.#options.client.send(new GetExecutionHistoryCommand(input)));
      const events = historyOf(page.events ?? []);
      return page.nextToken === undefined ? { events } : { events, cursor: page.nextToken };
    } catch (error) {
      throw workflowFailure(error);
    }
  }

  #call<T>(call: () => Promise<T>, again: (error: unknown) => boolean = isTransient): Promise<T> {
    return callPatiently(call, this.#options, again);
  }

  #keep(name: string, made: Promise<void>): Promise<void> {
    this.#made.set(name, made);
    made.catch(() => this.#made.delete(name));
    const [oldest] = this.#made.keys();
    if (this.#made.size > MAX_REMEMBERED_MACHINES && oldest !== undefined) this.#made.delete(oldest);
    return made;
  }

  async #create({ name, definition }: EmittedMachine): Promise<void> {
    const { client, roleArn, logGroupArn } = this.#options;
    const logging = logGroupArn === undefined ? {} : { loggingConfiguration: loggingConfiguration(logGroupArn) };
    const input = { name, definition, roleArn, type: "STANDARD", ...logging } as const;
    try {
      await this.#call(
        () => client.send(new CreateStateMachineCommand(input)),
        (error) => error instanceof StateMachineDeleting || isTransient(error),
      );
    } catch (error) {
      // The name is a hash of everything emitted, so an existing machine of this name is the same.
      if (!(error instanceof StateMachineAlreadyExists)) throw workflowFailure(error);
    }
  }

  /** @param wanted the caller's machine; `target` may be another one on which the name is claimed */
  async #startOn(
    target: string,
    name: string,
    input: string,
    wanted: string,
  ): Promise<"running" | "known" | "no machine"> {
    const stateMachineArn = this.#arn("stateMachine", target);
    // A new machine is not visible everywhere at once; one neither created nor claimed here may not exist at all.
    const deployed = Object.hasOwn(this.#options.deployed ?? {}, target);
    const expected = deployed || this.#made.has(target) || target !== wanted;
    const again = (error: unknown) => isTransient(error) || (expected && isNoMachine(error));
    const command = () => new StartExecutionCommand({ stateMachineArn, name, input });
    try {
      await this.#call(() => this.#options.client.send(command()), again);
      return "running";
    } catch (error) {
      if (error instanceof ExecutionAlreadyExists) return "known";
      if (!isNoMachine(error)) throw workflowFailure(error);
      if (target !== wanted) return "no machine";
      // Forget it, so that the next ensureMachine creates it again.
      if (this.#made.delete(target) || deployed) throw machineNotReady(error);
      throw unknownMachine(error);
    }
  }

  #arn(kind: "stateMachine" | "execution", rest: string): string {
    return statesArn(this.#options, kind, rest);
  }

  #executionArn(machine: string, name: string): string {
    return this.#arn("execution", `${machine}:${name}`);
  }

  async #arnOf(name: string): Promise<string> {
    const claim = await this.#claims.find(name);
    if (claim === undefined) throw unknownExecution();
    return this.#executionArn(claim.machine, name);
  }
}

/**
 * Opens the driver. Every refusal of the service is an AppError; a busy service a retryable one after several attempts.
 * @throws RangeError for an invalid account, region or prefix
 */
export function openStepFunctions(options: StepFunctionsOptions): Workflows {
  const { accountId, region, namePrefix } = options;
  if (!ACCOUNT.test(accountId)) throw new RangeError(`accountId must be 12 digits, not ${accountId}`);
  if (!REGION.test(region)) throw new RangeError(`region must be the name of a region, not ${region}`);
  if (!NAME_PREFIX.test(namePrefix)) {
    throw new RangeError(`namePrefix must be 1 to ${MAX_PREFIX_CHARACTERS} of A-Z a-z 0-9 - _, not ${namePrefix}`);
  }
  return new StepFunctionsWorkflows(options);
}
