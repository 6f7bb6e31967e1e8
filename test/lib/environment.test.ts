/**
 * The environment of every function as it is deployed. Lambda takes 4,096 bytes of it, and a stack that has more in some
 * region fails there, and there only; so names are modelled as CloudFormation makes them, at their longest.
 */
import { Template } from "aws-cdk-lib/assertions";
import { describe, expect, it } from "vitest";
import { cloudApp } from "../../bin/cloud.ts";
import { MAX_PREFIX_CHARACTERS } from "../../functions/adapters/aws/workflows-machine.ts";
import { context } from "../support/template.ts";

const LIMIT = 4096;
/** What is left is for settings to come. */
const MOST = 3500;

/** Everything that the README says a deployment may set, as long as it may be. */
const SETTINGS = {
  rateLimit: "9999999:9999999",
  SHEAF_RETENTION_DAYS: "3650",
  SHEAF_MAX_OPEN_RUNS: "10000000",
  SHEAF_ORG_OPEN_RUNS: "10000000",
  SHEAF_MAINTENANCE: "1",
  SHEAF_LOG: "debug",
};

interface Resource {
  Type: string;
  Properties: { Description?: string; Environment?: { Variables: Record<string, unknown> } };
}

const ACCOUNT = "123456789012";
const SUFFIX = "-A1B2C3D4E5F6G";
/** How long a name may be that CloudFormation makes of the stack's, the resource's and a suffix. */
const NAMES: Record<string, number> = {
  "AWS::Lambda::Function": 64,
  "AWS::IAM::Role": 64,
  "AWS::S3::Bucket": 63,
  "AWS::SQS::Queue": 80,
};

/** Values as they are in a stack, a region and a partition. */
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
    const most = NAMES[this.#resources[id]?.Type ?? ""] ?? 255;
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

/** Bytes of each function's environment as Lambda counts them: as JSON. */
function environments(stack: string, region: string, partition: string): [string, number][] {
  const app = cloudApp({ ...context, "aws:cdk:bundling-stacks": [], ...SETTINGS, stack });
  const { Resources } = Template.fromStack(app.stack).toJSON() as { Resources: Record<string, Resource> };
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
  it("leaves room for more, with all settings, a stack of 20 letters, the longest region and the longest partition", () => {
    const sizes = environments("sheaf-production-eu1", "ap-southeast-1", "aws-us-gov");
    expect(sizes.length).toBeGreaterThan(35);
    for (const [description, bytes] of sizes) expect(bytes, description).toBeLessThanOrEqual(MOST);
  });

  it("has room whatever the stack is called", () => {
    const longest = "s".repeat(MAX_PREFIX_CHARACTERS - 1);
    for (const [description, bytes] of environments(longest, "ap-southeast-1", "aws-us-gov")) {
      expect(bytes, description).toBeLessThan(LIMIT);
    }
    expect(() => cloudApp({ stack: `${longest}s` })).toThrow("47 characters");
  });
});
