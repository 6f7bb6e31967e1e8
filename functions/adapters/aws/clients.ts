/**
 * SDK clients for Lambda functions: one of each per process, few attempts, short timeouts, so that a hanging call ends
 * well before the function does. Region, endpoint and credentials come from the environment.
 */
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { LambdaClient } from "@aws-sdk/client-lambda";
import { S3Client } from "@aws-sdk/client-s3";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { SFNClient } from "@aws-sdk/client-sfn";
import { SQSClient } from "@aws-sdk/client-sqs";
import { TextractClient } from "@aws-sdk/client-textract";

const CONNECTION_TIMEOUT_MS = 1000;

/** @param requestTimeout milliseconds from the request to the first byte of the answer */
const settings = (requestTimeout: number, maxAttempts = 3) => ({
  maxAttempts,
  requestHandler: { connectionTimeout: CONNECTION_TIMEOUT_MS, requestTimeout, throwOnRequestTimeout: true },
});

/** Its driver backs off and retries by itself. */
export const dynamoClient = (): DynamoDBClient => new DynamoDBClient(settings(3000, 2));

export const s3Client = (): S3Client => new S3Client({ ...settings(10_000), retryMode: "standard" });

export const stepFunctionsClient = (): SFNClient => new SFNClient(settings(5000));

export const sqsClient = (): SQSClient => new SQSClient(settings(3000));

export const secretsClient = (): SecretsManagerClient => new SecretsManagerClient(settings(3000));

/** Recognising a picture takes seconds; its driver retries by itself. */
export const textractClient = (): TextractClient => new TextractClient(settings(60_000, 1));

/** One attempt: the effect of a failed one is unknown. */
export const lambdaClient = (): LambdaClient => new LambdaClient(settings(25_000, 1));
