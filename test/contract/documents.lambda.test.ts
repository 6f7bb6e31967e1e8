/**
 * The DocumentEngine suite as a deployment has it: documents are worked on inside of the steps' functions, and looked at
 * by a function that the API invokes. Lambda and S3 are stubs; what is invoked is the real handler.
 */
import { afterAll, beforeAll, vi } from "vitest";
import { handler } from "../../bin/cloud/handlers/inspect.ts";
import { openS3Blobs } from "../../functions/adapters/aws/blobs.ts";
import { lambdaClient, s3Client } from "../../functions/adapters/aws/clients.ts";
import { openLambdaDocuments } from "../../functions/adapters/aws/documents.ts";
import { openRemoteInspection } from "../../functions/adapters/aws/inspection.ts";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { documentTasks } from "../../functions/engine/tasks/engine.ts";
import { type AwsStubs, startAwsStubs } from "../support/aws-stubs.ts";
import { documentEngineSuite } from "./documents.suite.ts";

const clock = systemClock();
const bucket = "documents";
let stubs: AwsStubs;
beforeAll(async () => {
  stubs = await startAwsStubs({}, handler);
  const environment = {
    AWS_ENDPOINT_URL: stubs.url,
    AWS_REGION: "eu-central-1",
    AWS_ACCESS_KEY_ID: "test",
    AWS_SECRET_ACCESS_KEY: "test",
    SHEAF_BUCKET: bucket,
    SHEAF_METRICS: "Sheaf",
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await stubs.close();
});

documentEngineSuite("functions", {
  clock,
  jobTimeoutSeconds: 300,
  open() {
    const blobs = openS3Blobs({ client: s3Client(), bucket, clock });
    const { inspect } = openRemoteInspection({ client: lambdaClient(), functionName: "inspect", blobs, clock });
    return { ...openLambdaDocuments({ clock, jobTimeoutSeconds: 300, tasks: documentTasks }), inspect };
  },
});
