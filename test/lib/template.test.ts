/** The deployed template: the API's routes, the functions, storage, events. */
import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { cloudApp } from "../../bin/cloud.ts";
import { RECORDS_TABLE } from "../../functions/adapters/aws/table.ts";
import { withCompat } from "../../functions/api/http/compat.ts";
import { RESOURCES, ROUTES, routeKey } from "../../functions/api/routes.ts";
import { NODE_QUEUES } from "../../functions/ports/queue.ts";
import { STEPS } from "../../statemachines/steps.ts";
import { functionOf, functions, ROOT, resources, type Statement, stack, template, text } from "../support/template.ts";

describe("the API", () => {
  const keys = Object.values(resources("AWS::ApiGatewayV2::Route")).map(({ Properties }) => text(Properties.RouteKey));
  /** The gateway's route of a request. AWS: fixed parts go before placeholders, and methods before ANY. */
  const routeOf = (method: string, path: string): string => {
    const given = path.split("/");
    const rank = (key: string): string => {
      const [own, pattern = ""] = key.split(" ");
      return pattern.replaceAll(/\{[^}]*\}/g, "~") + (own === "ANY" ? "~" : "");
    };
    const matching = keys.filter((key) => {
      const [own, pattern = ""] = key.split(" ");
      const parts = pattern.split("/");
      const fits =
        parts.length === given.length && parts.every((part, at) => part.startsWith("{") || part === given[at]);
      return fits && (own === "ANY" || own === method);
    });
    return matching.sort((a, b) => (rank(a) < rank(b) ? -1 : 1))[0] ?? "$default";
  };

  it("has a route for every path of the table, and no other", () => {
    const paths = keys.filter((key) => key !== "$default").map((key) => key.split(" ")[1]);
    expect(new Set(paths)).toEqual(new Set(withCompat(ROUTES).map(({ path }) => path)));
    // The quotas of a stack, and of an HTTP API by default.
    expect(Object.keys(template.toJSON().Resources).length).toBeLessThan(500);
    expect(keys.length).toBeLessThan(300);
  });

  it("integrates each route with the function of its resource", () => {
    const integrations = resources("AWS::ApiGatewayV2::Integration");
    const functionsOfRoutes = new Map(
      Object.values(resources("AWS::ApiGatewayV2::Route")).map(({ Properties }) => {
        const integration = text(Properties.Target).replace("integrations/", "");
        return [Properties.RouteKey, text(integrations[integration]?.Properties.IntegrationUri).replace(/\.Arn$/, "")];
      }),
    );
    for (const [resource, routes] of Object.entries(RESOURCES)) {
      const { id } = functionOf(`the API's ${resource}`);
      for (const route of withCompat(routes)) {
        const key = routeOf(route.method, route.path);
        expect(key.split(" ")[1], routeKey(route)).toBe(route.path);
        expect(functionsOfRoutes.get(key), routeKey(route)).toBe(id);
      }
    }
    expect(functionsOfRoutes.get("$default")).toBe(functionOf("the API's service").id);
  });

  it("names the methods of a path that another path's placeholder covers", () => {
    expect(routeOf("GET", "/template/list")).toBe("GET /template/list");
    expect(routeOf("HEAD", "/compat/job/list")).toBe("HEAD /compat/job/list");
    expect(routeOf("POST", "/template/list")).toBe("ANY /template/{name}");
    expect(routeOf("POST", "/document/ocr/sync")).toBe("POST /document/ocr/sync");
    expect(routeOf("PUT", "/document/upload")).toBe("ANY /document/upload");
  });

  it("may invoke exactly its functions", () => {
    const allowed = Object.values(resources("AWS::Lambda::Permission"))
      .filter(({ Properties }) => Properties.Principal === "apigateway.amazonaws.com")
      .map(({ Properties }) => text(Properties.FunctionName).replace(/\.Arn$/, ""));
    const expected = functions.filter(({ description }) => description.includes("the API's")).map(({ id }) => id);
    expect(allowed.sort()).toEqual(expected.sort());
  });

  it("logs every request, and is throttled", () => {
    template.hasResourceProperties("AWS::ApiGatewayV2::Stage", {
      StageName: "$default",
      AutoDeploy: true,
      DefaultRouteSettings: { ThrottlingRateLimit: 500, ThrottlingBurstLimit: 1000 },
    });
  });
});

/** Handlers of functions that only some deployments have. */
const OPTIONAL_HANDLERS = new Set(["edge.ts"]);

describe("the functions", () => {
  it("are one for each handler", () => {
    // Each tier has its own worker; all workers share one handler.
    const workers = functions.filter(({ description }) => description.includes("works off the nodes")).length;
    expect(workers).toBe(Object.keys(NODE_QUEUES).length);
    const handlers = readdirSync(resolve(ROOT, "bin/cloud/handlers")).filter((file) => !OPTIONAL_HANDLERS.has(file));
    expect(functions).toHaveLength(handlers.length + workers - 1);
    for (const { properties } of functions) {
      expect(properties).toMatchObject({ Runtime: "nodejs24.x", Architectures: ["x86_64"], Handler: "index.handler" });
    }
  });

  it("have a timeout below that of their callers", () => {
    for (const { description, properties } of functions) {
      if (description.includes("the API's")) expect(properties.Timeout, description).toBe(30);
    }
    expect(functionOf("and pictures of pages").properties.Timeout).toBe(20);
    for (const step of STEPS) expect(functionOf(`the step ${step} of a run`).properties.Timeout).toBeLessThan(330);
  });

  it("have the rate limit of the app's context where requests arrive", () => {
    for (const { description, properties } of functions) {
      const { Variables } = properties.Environment as { Variables: Record<string, unknown> };
      const counts = description.includes("the API's");
      expect(Variables.SHEAF_RATE_LIMIT, description).toBe(
        counts || /first look/.test(description) ? "60:100" : undefined,
      );
    }
    expect(() => cloudApp({ rateLimit: "60" })).toThrow("SHEAF_RATE_LIMIT");
  });

  it("have no secret in their environment", () => {
    for (const { properties } of functions) {
      const { Variables } = properties.Environment as { Variables: Record<string, unknown> };
      for (const name of ["SHEAF_SERVER_KEY_SECRET", "SHEAF_API_KEYS_SECRET"]) {
        if (Variables[name] !== undefined)
          expect(resources("AWS::SecretsManager::Secret")).toHaveProperty(text(Variables[name]));
      }
    }
  });
});

describe("stored data", () => {
  /** Any other type must be checked: does it store anything, and is that encrypted? */
  const KEEPERS = [
    "AWS::DynamoDB::Table",
    "AWS::S3::Bucket",
    "AWS::SQS::Queue",
    "AWS::SecretsManager::Secret",
    "AWS::Logs::LogGroup",
    // Alarms, which name metrics alone.
    "AWS::SNS::Topic",
  ];
  const OTHERS = [
    "AWS::ApiGatewayV2::Api",
    "AWS::ApiGatewayV2::Integration",
    "AWS::ApiGatewayV2::Route",
    "AWS::ApiGatewayV2::Stage",
    "AWS::CloudWatch::Alarm",
    "AWS::Events::Rule",
    "AWS::IAM::Policy",
    "AWS::IAM::Role",
    "AWS::Lambda::EventSourceMapping",
    "AWS::Lambda::Function",
    "AWS::Lambda::Permission",
    "AWS::Logs::MetricFilter",
    "AWS::S3::BucketPolicy",
    "AWS::SNS::TopicPolicy",
    "AWS::SQS::QueuePolicy",
    // Step Functions encrypts inputs and outputs, which are keys and facts, itself.
    "AWS::StepFunctions::StateMachine",
  ];

  it("is only in resources that this test knows", () => {
    const types = new Set(
      Object.values(template.toJSON().Resources as Record<string, { Type: string }>).map(({ Type }) => Type),
    );
    expect([...types].sort()).toEqual([...KEEPERS, ...OTHERS].sort());
  });

  it("is encrypted and survives the stack", () => {
    template.allResourcesProperties("AWS::DynamoDB::Table", { SSESpecification: { SSEEnabled: true } });
    template.allResourcesProperties("AWS::SQS::Queue", { SqsManagedSseEnabled: true });
    const encrypted = {
      ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: "AES256" } }],
    };
    template.allResourcesProperties("AWS::S3::Bucket", { BucketEncryption: encrypted });
    for (const type of ["AWS::DynamoDB::Table", "AWS::S3::Bucket", "AWS::SecretsManager::Secret"]) {
      template.allResources(type, { DeletionPolicy: "Retain" });
    }
  });

  it("is accessible only by TLS, and the files not from outside", () => {
    const all = { BlockPublicAcls: true, BlockPublicPolicy: true, IgnorePublicAcls: true, RestrictPublicBuckets: true };
    template.allResourcesProperties("AWS::S3::Bucket", { PublicAccessBlockConfiguration: all });
    for (const type of ["AWS::S3::BucketPolicy", "AWS::SQS::QueuePolicy"]) {
      for (const { Properties } of Object.values(resources(type))) {
        const { Statement: statements } = Properties.PolicyDocument as { Statement: Statement[] };
        expect(statements).toContainEqual(
          expect.objectContaining({ Effect: "Deny", Condition: { Bool: { "aws:SecureTransport": "false" } } }),
        );
      }
    }
  });

  it("is in a table of the driver's shape, with point-in-time recovery, that no call deletes by mistake", () => {
    const { partitionKey, sortKey, timeToLiveAttribute, billingMode } = RECORDS_TABLE;
    template.hasResourceProperties("AWS::DynamoDB::Table", {
      KeySchema: [
        { AttributeName: partitionKey.name, KeyType: "HASH" },
        { AttributeName: sortKey.name, KeyType: "RANGE" },
      ],
      TimeToLiveSpecification: { AttributeName: timeToLiveAttribute, Enabled: true },
      BillingMode: billingMode,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 7 },
      DeletionProtectionEnabled: true,
    });
  });

  it("expires when nobody needs it any more: deleted files as soon as the table's past", () => {
    template.hasResourceProperties("AWS::S3::Bucket", {
      VersioningConfiguration: { Status: "Enabled" },
      LifecycleConfiguration: {
        Rules: [
          { AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 }, Status: "Enabled" },
          {
            Prefix: "tmp/",
            ExpirationInDays: 1,
            NoncurrentVersionExpiration: { NoncurrentDays: 1 },
            Status: "Enabled",
          },
          {
            NoncurrentVersionExpiration: { NoncurrentDays: 7 },
            ExpiredObjectDeleteMarker: true,
            Status: "Enabled",
          },
        ],
      },
    });
    const logs = Object.values(resources("AWS::Logs::LogGroup"));
    // Logs of each function, the API and the machines.
    expect(logs).toHaveLength(functions.length + 2);
    for (const { Properties } of logs) expect(Properties.RetentionInDays).toBe(30);
  });
});

describe("events", () => {
  it("are those of the sweep and of this stack's executions, and none is lost", () => {
    const rules = Object.values(resources("AWS::Events::Rule")).map(({ Properties }) => Properties);
    expect(rules).toHaveLength(2);
    for (const { Targets } of rules) {
      for (const target of Targets as object[]) expect(target).toHaveProperty("DeadLetterConfig");
    }
    expect(rules.find(({ ScheduleExpression }) => ScheduleExpression === "rate(5 minutes)")).toBeDefined();
    const { EventPattern } = rules.find(({ EventPattern: pattern }) => pattern !== undefined) ?? {};
    const { detail } = EventPattern as { detail: { status: string[]; stateMachineArn: [{ prefix: unknown }] } };
    expect(detail.status).toEqual(["FAILED", "TIMED_OUT", "ABORTED"]);
    expect(text(detail.stateMachineArn[0].prefix)).toMatch(new RegExp(`:stateMachine:${stack.machinePrefix}$`));
    for (const ending of ["keeps the API keys", "the run of an execution that ended badly"]) {
      expect(functionOf(ending).properties).toHaveProperty("DeadLetterConfig");
    }
  });
});

it("the stack has outputs with everything that a deployment's users need", () => {
  expect(Object.keys(template.findOutputs("*")).sort()).toEqual(
    [
      "AlarmTopic",
      "ApiId",
      "ApiKeysSecret",
      "ModelSecret",
      "PaymentsSecret",
      "ApiUrl",
      "BucketName",
      "DeadLetterQueue",
      "NodeDeadLetterQueue",
      "ServerKeySecret",
      "SweepFunction",
      "TableName",
      "WorkDeadLetterQueue",
    ].sort(),
  );
});
