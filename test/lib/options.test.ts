/** The options of a deployment: each changes what it says, and none leaves a finding of cdk-nag. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Template } from "aws-cdk-lib/assertions";
import { describe, expect, it } from "vitest";
import { cloudApp } from "../../bin/cloud.ts";
import { context, list, resources, type Statement, template, templateOf, text } from "../support/template.ts";

type Properties = Record<string, unknown>;

const NO_BUNDLES = { ...context, "aws:cdk:bundling-stacks": [] };
const ALL = {
  customerKey: "1",
  retainLogs: "1",
  tracing: "1",
  recoveryDays: "14",
  alarmEmail: "ops@example.com",
  edgeRateLimit: 2000,
};
const all = templateOf(cloudApp({ ...NO_BUNDLES, ...ALL }).stack);
const propertiesOf = (from: Template, type: string): Properties[] =>
  Object.values(from.findResources(type)).map(({ Properties }) => Properties as Properties);

/** The findings of cdk-nag and of the CDK's own rules, warnings included; an error ends the synthesis itself. */
function findings(options: Properties): unknown {
  const { directory } = cloudApp({ ...NO_BUNDLES, ...options }).app.synth();
  try {
    return JSON.parse(readFileSync(join(directory, "validation-report.json"), "utf8")).pluginReports;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

describe("cdk-nag", () => {
  it.each<[string, Properties]>([
    ["no option", {}],
    ["all options", ALL],
    ["the own key alone", { customerKey: 1 }],
    ["CloudFront alone", { edgeRateLimit: 100 }],
  ])("finds nothing with %s", (_name, options) => {
    expect(findings(options)).toEqual([]);
  });
});

describe("customerKey", () => {
  const [keyId = ""] = Object.keys(all.findResources("AWS::KMS::Key"));
  const arn = { "Fn::GetAtt": [keyId, "Arn"] };

  it("encrypts table, files, secrets, queues, logs and alarms under one key, which rotates and is kept", () => {
    all.resourceCountIs("AWS::KMS::Key", 1);
    all.allResources("AWS::KMS::Key", { DeletionPolicy: "Retain", Properties: { EnableKeyRotation: true } });
    all.allResourcesProperties("AWS::DynamoDB::Table", {
      SSESpecification: { SSEEnabled: true, SSEType: "KMS", KMSMasterKeyId: arn },
    });
    const byDefault = { SSEAlgorithm: "aws:kms", KMSMasterKeyID: arn };
    all.allResourcesProperties("AWS::S3::Bucket", {
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: byDefault, BucketKeyEnabled: true }],
      },
    });
    all.allResourcesProperties("AWS::SecretsManager::Secret", { KmsKeyId: arn });
    all.allResourcesProperties("AWS::Logs::LogGroup", { KmsKeyId: arn });
    for (const type of ["AWS::SQS::Queue", "AWS::SNS::Topic"]) {
      for (const properties of propertiesOf(all, type)) expect(properties.KmsMasterKeyId, type).toEqual(arn);
    }
  });

  it("is granted to every role that uses any of them", () => {
    const policies = propertiesOf(all, "AWS::IAM::Policy");
    const touches = /^(dynamodb|s3|sqs|secretsmanager):/;
    for (const { Roles, PolicyDocument } of policies) {
      const { Statement: statements } = PolicyDocument as { Statement: Statement[] };
      const actions = statements.flatMap(({ Action }) => list(Action));
      if (!actions.some((action) => touches.test(action))) continue;
      const own = statements.filter(({ Resource }) => JSON.stringify(Resource) === JSON.stringify(arn));
      const granted = own.flatMap(({ Action }) => list(Action));
      const role = text((Roles as unknown[])[0]);
      expect(granted, role).toEqual(expect.arrayContaining(["kms:Decrypt", "kms:GenerateDataKey"]));
    }
    expect(policies.length).toBeGreaterThan(30);
  });

  it("lets the services encrypt that act for no role, and only for this account", () => {
    const [{ KeyPolicy } = {}] = propertiesOf(all, "AWS::KMS::Key");
    const statements = (KeyPolicy as { Statement: (Statement & { Principal: { Service?: unknown } })[] }).Statement;
    const services = statements.filter(({ Principal }) => Principal.Service !== undefined);
    expect(JSON.stringify(services.map(({ Principal }) => Principal.Service))).toMatch(/logs\..*cloudwatch.*events/);
    for (const { Condition } of services) expect(JSON.stringify(Condition)).toContain("AWS::AccountId");
  });

  it("is absent by default, where the services' keys encrypt", () => {
    template.resourceCountIs("AWS::KMS::Key", 0);
  });
});

describe("retainLogs", () => {
  it("keeps every log group, and gives the machines' one a name that a later stack can have beside it", () => {
    for (const [group, policy] of [
      [all.findResources("AWS::Logs::LogGroup"), "Retain"],
      [resources("AWS::Logs::LogGroup"), "Delete"],
    ] as const) {
      for (const one of Object.values(group)) {
        expect(one).toMatchObject({ DeletionPolicy: policy, UpdateReplacePolicy: policy });
      }
    }
    const names = propertiesOf(all, "AWS::Logs::LogGroup").flatMap(({ LogGroupName }) => LogGroupName ?? []);
    expect(names).toHaveLength(1);
    expect(JSON.stringify(names[0])).toMatch(/vendedlogs\/states\/Sheaf-.*AWS::StackId/);
  });
});

describe("tracing", () => {
  it("traces every function, and none by default", () => {
    all.allResourcesProperties("AWS::Lambda::Function", { TracingConfig: { Mode: "Active" } });
    for (const properties of propertiesOf(template, "AWS::Lambda::Function")) {
      expect(properties).not.toHaveProperty("TracingConfig");
    }
  });
});

describe("recoveryDays", () => {
  it("are those of the table's past and of old files alike", () => {
    all.hasResourceProperties("AWS::DynamoDB::Table", {
      PointInTimeRecoverySpecification: { RecoveryPeriodInDays: 14 },
    });
    const [{ LifecycleConfiguration } = {}] = propertiesOf(all, "AWS::S3::Bucket");
    const { Rules } = LifecycleConfiguration as { Rules: Properties[] };
    expect(Rules).toContainEqual(
      expect.objectContaining({ NoncurrentVersionExpiration: { NoncurrentDays: 14 }, ExpiredObjectDeleteMarker: true }),
    );
  });
});

describe("alarms", () => {
  const alarms = propertiesOf(template, "AWS::CloudWatch::Alarm");

  it("notify the topic of their beginning and end", () => {
    const [topic = ""] = Object.keys(resources("AWS::SNS::Topic"));
    expect(alarms.length).toBeGreaterThan(9);
    for (const alarm of alarms) {
      expect(alarm).toMatchObject({ AlarmActions: [{ Ref: topic }], OKActions: [{ Ref: topic }] });
    }
  });

  it("watch throttles of functions and table, failed executions and slow answers, besides dead letters and 5xx", () => {
    const watched = alarms.flatMap(({ MetricName, Metrics }) => [
      MetricName,
      ...((Metrics ?? []) as { MetricStat?: { Metric: { MetricName: string } } }[]).map(
        ({ MetricStat }) => MetricStat?.Metric.MetricName,
      ),
    ]);
    for (const name of [
      "Throttles",
      "ReadThrottleEvents",
      "WriteThrottleEvents",
      "failed_executions",
      "Latency",
      "5xx",
      "Errors",
      "ApproximateAgeOfOldestMessage",
    ]) {
      expect(watched).toContain(name);
    }
    expect(watched.filter((name) => name === "ApproximateNumberOfMessagesVisible").length).toBeGreaterThanOrEqual(3);
    const [filter] = propertiesOf(template, "AWS::Logs::MetricFilter");
    expect(filter?.FilterPattern).toBe('{ ($.type = "ExecutionFailed") || ($.type = "ExecutionTimedOut") }');
  });

  it("go to an address when one is set", () => {
    template.resourceCountIs("AWS::SNS::Subscription", 0);
    all.hasResourceProperties("AWS::SNS::Subscription", { Protocol: "email", Endpoint: "ops@example.com" });
  });
});

describe("a wrong option", () => {
  it.each([
    ["customerKey", "yes", "customerKey must be 1 or 0"],
    ["retainLogs", "2", "retainLogs must be 1 or 0"],
    ["recoveryDays", "36", "recoveryDays must be a whole number from 1 to 35"],
    ["edgeRateLimit", "9", "edgeRateLimit must be a whole number from 10 to"],
    ["alarmEmail", "nobody", "alarmEmail must be an e-mail address"],
  ])("%s=%s is refused", (name, value, sentence) => {
    expect(() => cloudApp({ [name]: value })).toThrow(sentence);
  });
});
