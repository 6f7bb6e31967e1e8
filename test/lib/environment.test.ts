/**
 * The environment of every deployed function. Lambda allows 4,096 bytes; a stack that exceeds them in some region fails
 * only there. So names have the longest form that CloudFormation gives them.
 */
import { describe, expect, it } from "vitest";
import { cloudApp } from "../../bin/cloud.ts";
import { MAX_PREFIX_CHARACTERS } from "../../functions/adapters/aws/workflows-machine.ts";
import { context, templateOf } from "../support/template.ts";

const MAX_ENVIRONMENT_BYTES = 4096;
/** The rest is reserved for future settings. */
const BUDGET_BYTES = 3500;

/** All settings in the README at their greatest length. */
const SETTINGS = {
  rateLimit: "9999999:9999999",
  SHEAF_RETENTION_DAYS: "3650",
  SHEAF_AUDIT_DAYS: "3650",
  SHEAF_MAX_OPEN_RUNS: "10000000",
  SHEAF_ORG_OPEN_RUNS: "10000000",
  SHEAF_PAGE_QUOTA: "9999999",
  SHEAF_START_RATE: "9999999:9999999",
  SHEAF_MAINTENANCE: "1",
  SHEAF_LOG: "debug",
  SHEAF_BILLING: "enforced",
  SHEAF_RATES: longestRates(),
  SHEAF_CHECKOUT_URL: longestAddress(),
  SHEAF_PORTAL_URL: longestAddress(),
  SHEAF_PUBLIC_URL: longestAddress(),
};

function longestAddress(): string {
  return `https://example.com/${"a".repeat(180)}`;
}

/** Rates of nearly 500 characters. */
function longestRates(): string {
  return JSON.stringify({
    ocr: Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`provider-of-text-${at}`, 10])),
  });
}

interface Resource {
  Type: string;
  Properties: { Description?: string; Environment?: { Variables: Record<string, unknown> } };
}

const ACCOUNT = "123456789012";
const SUFFIX = "-A1B2C3D4E5F6G";
/** The greatest length of names that CloudFormation makes from the stack's, the resource's and a suffix. */
const MAX_NAME_LENGTHS: Record<string, number> = {
  "AWS::Lambda::Function": 64,
  "AWS::IAM::Role": 64,
  "AWS::S3::Bucket": 63,
  "AWS::SQS::Queue": 80,
};

/** The values in a given stack, region and partition. */
class Deployed {
  readonly #resources: Record<string, Resource>;
  readonly #stack: string;
  readonly #region: string;
  readonly #partition: string;

  constructor(resources: Record<string, Resource>, stack: string, region: string, partition: string) {
    this.#resources = resources;
    this.#stack = stack;
    this.#region = region;
    this.#partition = partition;
  }

  #name(id: string): string {
    const most = MAX_NAME_LENGTHS[this.#resources[id]?.Type ?? ""] ?? 255;
    return `${this.#stack}-${id}`.slice(0, most - SUFFIX.length) + SUFFIX;
  }

  #ref(id: string): string {
    const pseudo: Record<string, string> = {
      "AWS::Region": this.#region,
      "AWS::AccountId": ACCOUNT,
      "AWS::Partition": this.#partition,
    };
    const type = this.#resources[id]?.Type;
    if (type === "AWS::SQS::Queue") {
      return `https://sqs.${this.#region}.amazonaws.com/${ACCOUNT}/${this.#name(id)}`;
    }
    if (type === "AWS::SecretsManager::Secret") {
      return `arn:${this.#partition}:secretsmanager:${this.#region}:${ACCOUNT}:secret:${id}${SUFFIX}-AbCdEf`;
    }
    return pseudo[id] ?? this.#name(id);
  }

  #arn(id: string): string {
    const [service, kind, region] =
      this.#resources[id]?.Type === "AWS::IAM::Role" ? ["iam", "role/", ""] : ["lambda", "function:", this.#region];
    return `arn:${this.#partition}:${service}:${region}:${ACCOUNT}:${kind}${this.#name(id)}`;
  }

  value(given: unknown): string {
    if (typeof given === "string") return given;
    const [[name, argument] = []] = Object.entries(given as Record<string, unknown>);
    if (name === "Ref") return this.#ref(String(argument));
    if (name === "Fn::GetAtt" && (argument as string[])[1] === "Arn") return this.#arn((argument as string[])[0] ?? "");
    if (name === "Fn::Join") return ((argument as [string, unknown[]])[1] ?? []).map((one) => this.value(one)).join("");
    throw new Error(`No value for ${JSON.stringify(given)}`);
  }
}

/** The size of each function's environment as Lambda counts it, in bytes of JSON. */
function environments(stack: string, region: string, partition: string): [string, number][] {
  const app = cloudApp({ ...context, "aws:cdk:bundling-stacks": [], ...SETTINGS, stack });
  const { Resources } = templateOf(app.stack).toJSON() as { Resources: Record<string, Resource> };
  const deployed = new Deployed(Resources, stack, region, partition);
  return Object.values(Resources)
    .filter(({ Type }) => Type === "AWS::Lambda::Function")
    .map(({ Properties: { Description = "", Environment } }) => {
      const variables = Object.entries(Environment?.Variables ?? {});
      const values = Object.fromEntries(variables.map(([name, value]) => [name, deployed.value(value)]));
      return [Description, Buffer.byteLength(JSON.stringify(values))];
    });
}

describe("the environment of every function", () => {
  it("leaves room with all settings, a stack name of 20 letters, the longest region and the longest partition", () => {
    const sizes = environments("sheaf-production-eu1", "ap-southeast-1", "aws-us-gov");
    expect(sizes.length).toBeGreaterThan(35);
    for (const [description, bytes] of sizes) expect(bytes, description).toBeLessThanOrEqual(BUDGET_BYTES);
  });

  it("fits for every length of the stack's name", () => {
    const longest = "s".repeat(MAX_PREFIX_CHARACTERS - 1);
    for (const [description, bytes] of environments(longest, "ap-southeast-1", "aws-us-gov")) {
      expect(bytes, description).toBeLessThan(MAX_ENVIRONMENT_BYTES);
    }
    expect(() => cloudApp({ stack: `${longest}s` })).toThrow("47 characters");
  });
});
