/**
 * CloudFront before the API, with a limit of requests by address, so that strangers do not use up the gateway's rate.
 * The gateway refuses requests without the header that CloudFront adds, before any function of the API is called.
 */
import { CfnOutput, Duration, Fn, RemovalPolicy, Stack, type StackProps } from "aws-cdk-lib";
import type * as apigateway from "aws-cdk-lib/aws-apigatewayv2";
import { HttpLambdaAuthorizer, HttpLambdaResponseType } from "aws-cdk-lib/aws-apigatewayv2-authorizers";
import * as cloudfront from "aws-cdk-lib/aws-cloudfront";
import { HttpOrigin } from "aws-cdk-lib/aws-cloudfront-origins";
import { Secret } from "aws-cdk-lib/aws-secretsmanager";
import { CfnWebACL } from "aws-cdk-lib/aws-wafv2";
import { Construct } from "constructs";
import type { Sources } from "./bundles.ts";
import { deploymentOf, grantKey } from "./deployment.ts";
import { ServiceFunction } from "./functions.ts";
import { acknowledge } from "./wildcards.ts";

/** Web ACLs of CloudFront exist in this region only. */
export const EDGE_REGION = "us-east-1";
const WEB_ACL_OUTPUT = "WebAclArn";
/** Seconds over which a rate rule counts. */
const RATE_WINDOW_SECONDS = 300;

/** The header by which the gateway knows CloudFront. */
const EDGE_HEADER = "x-sheaf-edge";
/** Time for which the gateway remembers a header's verdict. */
const VERDICT_MINUTES = 5;

export interface EdgeStackProps extends StackProps {
  /** Requests of one address in 5 minutes; more are answered 429. */
  requestsPerAddress: number;
}

/** The web ACL, in the one region that has those of CloudFront. */
export class EdgeStack extends Stack {
  constructor(scope: Construct, id: string, props: EdgeStackProps) {
    super(scope, id, props);
    const visibility = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
      metricName,
      cloudWatchMetricsEnabled: true,
      sampledRequestsEnabled: false,
    });
    const acl = new CfnWebACL(this, "WebAcl", {
      description: "Sheaf: requests of one address",
      scope: "CLOUDFRONT",
      defaultAction: { allow: {} },
      visibilityConfig: visibility("sheaf-edge"),
      rules: [
        {
          name: "address-rate",
          priority: 0,
          statement: {
            rateBasedStatement: {
              aggregateKeyType: "IP",
              limit: props.requestsPerAddress,
              evaluationWindowSec: RATE_WINDOW_SECONDS,
            },
          },
          action: {
            block: {
              customResponse: {
                responseCode: 429,
                responseHeaders: [{ name: "Retry-After", value: String(RATE_WINDOW_SECONDS) }],
              },
            },
          },
          visibilityConfig: visibility("sheaf-address-rate"),
        },
      ],
    });
    new CfnOutput(this, WEB_ACL_OUTPUT, { value: acl.attrArn });
  }
}

export interface EdgeProps {
  sources: Sources;
  /** The name of the EdgeStack. */
  edgeStack: string;
  environment: Record<string, string>;
}

/** The secret between CloudFront and the gateway, the gateway's guard, and the distribution. */
export class Edge extends Construct {
  /** Refuses requests that did not come through CloudFront; for every route. */
  readonly authorizer: HttpLambdaAuthorizer;
  readonly #secret: Secret;
  readonly #edgeStack: string;

  constructor(scope: Construct, id: string, { sources, edgeStack, environment }: EdgeProps) {
    super(scope, id);
    this.#edgeStack = edgeStack;
    const { key } = deploymentOf(this);
    this.#secret = new Secret(this, "Secret", {
      description: "Sheaf: what CloudFront sends to the gateway, so that it knows it",
      generateSecretString: { passwordLength: 48, excludePunctuation: true },
      removalPolicy: RemovalPolicy.DESTROY,
      ...(key === undefined ? {} : { encryptionKey: key }),
    });
    acknowledge(
      this.#secret,
      "AwsSolutions-SMG4",
      "CloudFront and the gateway alone know it, and a deployment changes both.",
    );
    const guard = new ServiceFunction(this, "edge", {
      sources,
      entry: "edge",
      description: "Sheaf: admits requests that come through CloudFront",
      memoryMegabytes: 256,
      timeoutSeconds: 10,
      environment: { ...environment, SHEAF_EDGE_SECRET: this.#secret.secretArn },
    });
    this.#secret.grantRead(guard.role);
    grantKey(this, guard.role);
    this.authorizer = new HttpLambdaAuthorizer("edge", guard.function, {
      responseTypes: [HttpLambdaResponseType.SIMPLE],
      identitySource: [`$request.header.${EDGE_HEADER}`],
      resultsCacheTtl: Duration.minutes(VERDICT_MINUTES),
    });
  }

  /** Puts CloudFront before an API. @returns the API's public address */
  publish(api: apigateway.HttpApi): string {
    const { region, urlSuffix } = Stack.of(this);
    const origin = new HttpOrigin(`${api.apiId}.execute-api.${region}.${urlSuffix}`, {
      customHeaders: { [EDGE_HEADER]: this.#secret.secretValue.unsafeUnwrap() },
      protocolPolicy: cloudfront.OriginProtocolPolicy.HTTPS_ONLY,
      originSslProtocols: [cloudfront.OriginSslPolicy.TLS_V1_2],
      // The gateway itself answers within 30 s.
      readTimeout: Duration.seconds(35),
    });
    const distribution = new cloudfront.Distribution(this, "Distribution", {
      comment: `Sheaf: the API of ${Stack.of(this).stackName}`,
      webAclId: Fn.getStackOutput(this.#edgeStack, WEB_ACL_OUTPUT, EDGE_REGION),
      defaultBehavior: {
        origin,
        allowedMethods: cloudfront.AllowedMethods.ALLOW_ALL,
        cachePolicy: cloudfront.CachePolicy.CACHING_DISABLED,
        originRequestPolicy: cloudfront.OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
        // A redirect would send the key in clear once.
        viewerProtocolPolicy: cloudfront.ViewerProtocolPolicy.HTTPS_ONLY,
      },
    });
    acknowledge(distribution, "AwsSolutions-CFR1", "The API serves callers with a key, wherever they are.");
    acknowledge(
      distribution,
      "AwsSolutions-CFR3",
      "The gateway logs every request that passes, WAF counts the others.",
    );
    acknowledge(
      distribution,
      "AwsSolutions-CFR4",
      "CloudFront's own certificate sets the protocol; an operator's own domain can ask for a newer one.",
    );
    return `https://${distribution.distributionDomainName}`;
  }
}
