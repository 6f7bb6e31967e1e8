/** CloudFront before the API: what passes, what the gateway refuses, and where the limit of requests is. */
import { describe, expect, it } from "vitest";
import { cloudApp } from "../../bin/cloud.ts";
import { EdgeStack } from "../../lib/edge.ts";
import { context, template, templateOf } from "../support/template.ts";

type Properties = Record<string, unknown>;

const { app, stack } = cloudApp({ ...context, "aws:cdk:bundling-stacks": [], edgeRateLimit: 2000, stack: "Mine" });
const main = templateOf(stack);
const edgeStack = app.node.findChild("Mine-Edge") as EdgeStack;
const propertiesOf = (type: string): Properties[] =>
  Object.values(main.findResources(type)).map(({ Properties }) => Properties as Properties);

describe("the gateway behind CloudFront", () => {
  it("asks the guard before every route, by the header that CloudFront adds", () => {
    const [[id, { Properties: authorizer }] = ["", { Properties: {} }]] = Object.entries(
      main.findResources("AWS::ApiGatewayV2::Authorizer"),
    );
    expect(authorizer).toMatchObject({
      AuthorizerType: "REQUEST",
      AuthorizerPayloadFormatVersion: "2.0",
      EnableSimpleResponses: true,
      IdentitySource: ["$request.header.x-sheaf-edge"],
    });
    const routes = propertiesOf("AWS::ApiGatewayV2::Route");
    expect(routes.length).toBeGreaterThan(50);
    for (const { RouteKey, AuthorizationType, AuthorizerId } of routes) {
      expect({ AuthorizationType, AuthorizerId }, String(RouteKey)).toEqual({
        AuthorizationType: "CUSTOM",
        AuthorizerId: { Ref: id },
      });
    }
  });

  it("has the address of the distribution, which sends everything on, caches nothing and adds the secret", () => {
    const [{ DistributionConfig: config } = {}] = propertiesOf("AWS::CloudFront::Distribution");
    const { DefaultCacheBehavior, Origins } = config as {
      DefaultCacheBehavior: Properties;
      Origins: { OriginCustomHeaders: { HeaderName: string; HeaderValue: unknown }[] }[];
    };
    expect(DefaultCacheBehavior).toMatchObject({
      ViewerProtocolPolicy: "https-only",
      AllowedMethods: ["GET", "HEAD", "OPTIONS", "PUT", "PATCH", "POST", "DELETE"],
    });
    const [header] = Origins[0]?.OriginCustomHeaders ?? [];
    expect(header?.HeaderName).toBe("x-sheaf-edge");
    // Resolved at deployment: the template does not hold it.
    expect(JSON.stringify(header?.HeaderValue)).toContain("{{resolve:secretsmanager:");
    const [url] = Object.values(main.findOutputs("ApiUrl"));
    expect(JSON.stringify(url?.Value)).toMatch(/https:\/\/.*EdgeDistribution.*DomainName/);
  });

  it("is the API's own address by default, without a guard", () => {
    for (const type of ["AWS::ApiGatewayV2::Authorizer", "AWS::CloudFront::Distribution"]) {
      template.resourceCountIs(type, 0);
    }
    expect(
      cloudApp({ "aws:cdk:bundling-stacks": [] }).app.node.children.filter((one) => one instanceof EdgeStack),
    ).toEqual([]);
  });
});

describe("the web ACL", () => {
  it("is in the region that CloudFront reads, limits each address, and is deployed first", () => {
    expect(edgeStack.region).toBe("us-east-1");
    templateOf(edgeStack).hasResourceProperties("AWS::WAFv2::WebACL", {
      Scope: "CLOUDFRONT",
      DefaultAction: { Allow: {} },
      Rules: [
        {
          Statement: { RateBasedStatement: { AggregateKeyType: "IP", Limit: 2000, EvaluationWindowSec: 300 } },
          Action: { Block: { CustomResponse: { ResponseCode: 429 } } },
        },
      ],
    });
    const [{ DistributionConfig } = {}] = propertiesOf("AWS::CloudFront::Distribution");
    expect((DistributionConfig as Properties).WebACLId).toEqual({
      "Fn::GetStackOutput": { StackName: "Mine-Edge", OutputName: "WebAclArn", Region: "us-east-1" },
    });
    expect(stack.dependencies).toContain(edgeStack);
  });
});
