/** Emits a definition for Step Functions: placeholders filled, the name a hash of everything emitted. */
import { createHash } from "node:crypto";
import { BadRequest } from "../../ports/errors.ts";
import { isObject, type Json, type JsonObject } from "../../ports/json.ts";
import type { StateMachineDefinition } from "../../ports/workflows.ts";
import { canonicalJson, MACHINE_PATH, machineOf, mapMembers, objectsIn, START_AND_WAIT } from "../workflows-json.ts";
import { checkDefinitionSize } from "../workflows-limits.ts";

const PLACEHOLDER = /^\$\{([A-Za-z0-9_-]{1,64})\}$/;
/** 128 bits of SHA-256, so that a prefix of 48 characters fits into the 80 of a machine's name. */
const HASH_DIGITS = 32;
export const MAX_PREFIX_CHARACTERS = 48;

/** The step whose work goes through a queue, and the integration that sends its message. */
const QUEUED_NODE_STEP = "queued-node";
/** Integrations of Step Functions name the partition of their machine. */
const INTEGRATION_PREFIX = "arn:aws:states:::";
const SEND_AND_WAIT = "arn:aws:states:::sqs:sendMessage.waitForTaskToken";

export interface MachineSettings {
  namePrefix: string;
  roleArn: string;
  /** ARNs of Lambda functions by step name. */
  steps: Readonly<Record<string, string>>;
  /** URLs of the node queues, by tier. */
  nodeQueues?: Readonly<Record<string, string>>;
  logGroupArn?: string;
  /** Bucket of the file store, for distributed Maps. */
  bucket?: string;
  /** Region, account and partition of the machines. */
  region: string;
  accountId: string;
  partition?: string;
}

/** The ARN of a machine or of an execution. */
export function statesArn(
  { partition = "aws", region, accountId }: Pick<MachineSettings, "partition" | "region" | "accountId">,
  kind: "stateMachine" | "execution",
  rest: string,
): string {
  return `arn:${partition}:states:${region}:${accountId}:${kind}:${rest}`;
}

/** The ARN of an integration in the machine's own partition; any other value as it is. */
const integrationIn = ({ partition = "aws" }: MachineSettings, resource: Json): Json =>
  typeof resource === "string" && resource.startsWith(INTEGRATION_PREFIX)
    ? `arn:${partition}:states:::${resource.slice(INTEGRATION_PREFIX.length)}`
    : resource;

export interface EmittedMachine {
  name: string;
  /** Amazon States Language as JSON text. */
  definition: string;
}

function fillResource(state: string, resource: Json, settings: MachineSettings): Json {
  const { steps } = settings;
  const step = typeof resource === "string" ? PLACEHOLDER.exec(resource)?.[1] : undefined;
  if (step === undefined) return integrationIn(settings, resource);
  const arn = Object.hasOwn(steps, step) ? steps[step] : undefined;
  if (arn === undefined) {
    throw new BadRequest(`The state "${state}" calls the step "${step}", which this service does not have.`);
  }
  return arn;
}

/** A Task that sends its work to the queue of its tier and waits for the token's answer. */
function queuedTask(state: string, task: JsonObject, settings: MachineSettings): JsonObject {
  const { nodeQueues: queues = {} } = settings;
  // Machines of earlier releases name no group.
  const { tier, "group.$": group, ...work } = isObject(task.Parameters) ? task.Parameters : {};
  const url = typeof tier === "string" && Object.hasOwn(queues, tier) ? queues[tier] : undefined;
  if (url === undefined) {
    throw new BadRequest(`The state "${state}" puts work on a queue that this service does not have.`);
  }
  const MessageBody = { kind: "extract-node", ...work, "taskToken.$": "$$.Task.Token" };
  const Parameters = { QueueUrl: url, MessageBody, ...(group === undefined ? {} : { "MessageGroupId.$": group }) };
  return { ...task, Resource: integrationIn(settings, SEND_AND_WAIT), Parameters };
}

/**
 * Fills in the ARN of the machine that a Task starts; for a path to the machine's name, the expression that builds it.
 */
const fillParameters = (parameters: JsonObject, settings: MachineSettings): JsonObject =>
  mapMembers(parameters, (member, value) => {
    if (member === MACHINE_PATH) return `States.Format('${statesArn(settings, "stateMachine", "{}")}', ${value})`;
    const machine = member === "StateMachineArn" ? machineOf(value) : undefined;
    return machine === undefined ? value : statesArn(settings, "stateMachine", machine);
  });

/** Fills in the bucket from which a distributed Map reads its items. @throws BadRequest without a bucket */
const fillReader = (state: string, reader: JsonObject, settings: MachineSettings): JsonObject =>
  mapMembers(reader, (name, parameters) => {
    if (name === "Resource") return integrationIn(settings, parameters);
    const { bucket } = settings;
    if (name !== "Parameters" || !isObject(parameters) || parameters.Bucket !== "${bucket}") return parameters;
    if (bucket === undefined) {
      throw new BadRequest(
        `The state "${state}" reads its items from the file store, which this service does not have.`,
      );
    }
    return { ...parameters, Bucket: bucket };
  });

/** A machine, branch or iteration with the ARNs of its steps; other texts are unchanged. */
function fillMachine(machine: JsonObject, settings: MachineSettings): JsonObject {
  const fillState = (state: string, value: Json): Json => {
    if (!isObject(value)) return value;
    if (value.Resource === `\${${QUEUED_NODE_STEP}}`) return queuedTask(state, value, settings);
    return mapMembers(value, (member, inner) => {
      if (member === "Resource") return fillResource(state, inner, settings);
      if (member === "Branches") return objectsIn(inner).map((branch) => fillMachine(branch, settings));
      if (!isObject(inner)) return inner;
      if (member === "Parameters" && value.Resource === START_AND_WAIT) return fillParameters(inner, settings);
      if (member === "ItemReader") return fillReader(state, inner, settings);
      return member === "ItemProcessor" || member === "Iterator" ? fillMachine(inner, settings) : inner;
    });
  };
  return mapMembers(machine, (member, value) =>
    member === "States" && isObject(value) ? mapMembers(value, fillState) : value,
  );
}

/**
 * Emits a definition as Step Functions gets it.
 * @throws BadRequest for an unknown step or a definition over the quota
 */
export function emitDefinition(definition: StateMachineDefinition, settings: MachineSettings): string {
  const text = canonicalJson(fillMachine(definition, settings));
  checkDefinitionSize(text);
  return text;
}

/**
 * Emits a machine. The same definition, role, steps and log group give the same name and bytes, whatever the order of
 * members. The role is part of the hash because Step Functions ignores a new role for a known name.
 * @throws BadRequest for an unknown step or a definition over the quota
 */
export function emitMachine(definition: StateMachineDefinition, settings: MachineSettings): EmittedMachine {
  const text = emitDefinition(definition, settings);
  const identity = JSON.stringify([text, settings.roleArn, settings.logGroupArn ?? null]);
  const hash = createHash("sha256").update(identity).digest("hex").slice(0, HASH_DIGITS);
  return { name: `${settings.namePrefix}${hash}`, definition: text };
}
