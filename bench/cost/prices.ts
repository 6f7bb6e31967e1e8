/**
 * Prices of AWS in us-east-1, in US dollars, without free tiers and discounts of volume. `seen` is the page that the
 * price was read on, in a stored copy, on 2026-11-23; the page itself may have changed since, so check it before you quote a sum.
 */

/** A price, what it is for, and where it was read. */
export interface Price {
  dollars: number;
  per: string;
  service: string;
  seen: string;
}

const price = (dollars: number, service: string, per: string, seen: string): Price => ({ dollars, per, service, seen });

export const PRICES = {
  request: price(
    1.0 / 1e6,
    "API Gateway",
    "request to an HTTP API, first 300 million",
    "appropri8-astro.pages.dev, of 2025-12-02",
  ),
  transition: price(0.025 / 1e3, "Step Functions", "state transition", "aws.amazon.com/step-functions/pricing"),
  invocation: price(
    0.2 / 1e6,
    "Lambda",
    "invocation",
    "docs.aws.amazon.com/whitepapers/latest/how-aws-pricing-works/lambda.html",
  ),
  gigabyteSecond: price(
    0.0000166667,
    "Lambda",
    "GB-second on x86",
    "docs.aws.amazon.com/whitepapers/latest/how-aws-pricing-works/lambda.html",
  ),
  writeUnit: price(
    0.625 / 1e6,
    "DynamoDB",
    "write request unit, on demand",
    "airbyte.com/data-engineering-resources/dynamodb-pricing, of 2025-07-21",
  ),
  readUnit: price(
    0.125 / 1e6,
    "DynamoDB",
    "read request unit, on demand",
    "airbyte.com/data-engineering-resources/dynamodb-pricing, of 2025-07-21",
  ),
  put: price(0.005 / 1e3, "S3", "PUT, COPY, POST or LIST, Standard", "c3x.dev/blog/s3-request-fees-explained"),
  get: price(0.0004 / 1e3, "S3", "GET, Standard", "c3x.dev/blog/s3-request-fees-explained"),
  message: price(0.4 / 1e6, "SQS", "request, standard queue", "cloudburn.io/blog/amazon-sqs-pricing, of 2026-03-14"),
  logGigabyte: price(
    0.5,
    "CloudWatch Logs",
    "GB taken in",
    "hykell.com/kb/platform-specific-guides/aws-cloudwatch-logs-pricing",
  ),
  trace: price(5 / 1e6, "X-Ray", "recorded trace", "aws.amazon.com/xray/pricing"),
} as const satisfies Record<string, Price>;

/** Day on which the pages were read. */
export const PRICES_SEEN = "2026-11-23";
