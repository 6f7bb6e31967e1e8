/** Linters of Amazon States Language, for machines as Step Functions gets them. */
import { createRequire } from "node:module";
import { getLanguageService, TextDocument } from "amazon-states-language-service";
import { emitMachine } from "../../functions/adapters/aws/workflows-machine.ts";
import type { StateMachineDefinition } from "../../functions/ports/workflows.ts";

export type Definition = { [member: string]: unknown };

const TIERS = ["nano", "mini", "default", "high"];

/** CommonJS without types. */
const validate: (definition: Definition) => { errors: unknown[] } = createRequire(import.meta.url)("asl-validator");

/** A region of each partition. */
export const REGIONS: Readonly<Record<string, string>> = {
  aws: "eu-central-1",
  "aws-cn": "cn-north-1",
  "aws-us-gov": "us-gov-west-1",
};

export const arn = (step: string, partition = "aws"): string =>
  `arn:${partition}:lambda:${REGIONS[partition]}:000000000000:function:${step}`;

/** The machine with its resources substituted. */
export function emitted(definition: unknown, steps: readonly string[], partition = "aws"): Definition {
  const { definition: text } = emitMachine(definition as StateMachineDefinition, {
    namePrefix: "Sheaf-",
    roleArn: `arn:${partition}:iam::000000000000:role/machines`,
    steps: Object.fromEntries(steps.map((step) => [step, arn(step, partition)])),
    bucket: "files",
    partition,
    region: REGIONS[partition] ?? "",
    accountId: "000000000000",
    nodeQueues: Object.fromEntries(TIERS.map((tier) => [tier, `https://sqs.eu-central-1.amazonaws.com/0/${tier}`])),
  });
  return JSON.parse(text);
}

const WARNING_SEVERITY = 2;
const service = getLanguageService({});

export async function languageServiceFaults(definition: Definition): Promise<string[]> {
  const text = TextDocument.create("file://machine.asl.json", "asl", 1, JSON.stringify(definition));
  const found = await service.doValidation(text, service.parseJSONDocument(text));
  return found.filter(({ severity }) => severity !== WARNING_SEVERITY).map(({ message }) => String(message));
}

/** On a copy: the validator changes its input. */
export const validatorFaults = (definition: Definition): string[] =>
  validate(structuredClone(definition)).errors.map((error) => JSON.stringify(error));
