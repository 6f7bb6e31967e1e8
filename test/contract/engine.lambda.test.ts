/**
 * The Engine suite in a deployment: documents are processed inside the steps' functions, and inspected by a function
 * that the API invokes. Lambda and S3 are stubs; the invoked handler is real.
 */
import { afterAll, beforeAll, vi } from "vitest";
import { handler } from "../../bin/cloud/handlers/inspect.ts";
import { openS3Blobs } from "../../functions/adapters/aws/blobs.ts";
import { lambdaClient, s3Client } from "../../functions/adapters/aws/clients.ts";
import { openLambdaEngine } from "../../functions/adapters/aws/lambda-engine.ts";
import { openRemoteEngine } from "../../functions/adapters/aws/remote-engine.ts";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { loadTasks } from "../../functions/adapters/local/load-tasks.ts";
import { inspectTask } from "../../functions/engine/tasks/inspect.ts";
import type { Engine } from "../../functions/ports/engine.ts";
import { type AwsStubs, startAwsStubs } from "../support/aws-stubs.ts";
import { engineSuite } from "./engine.suite.ts";

const clock = systemClock();
const bucket = "documents";
let stubs: AwsStubs;
beforeAll(async () => {
  stubs = await startAwsStubs({}, (_name, payload) => handler(payload));
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

engineSuite("functions", {
  clock,
  jobTimeoutSeconds: 300,
  async open(): Promise<Engine> {
    const blobs = openS3Blobs({ client: s3Client(), bucket, clock });
    const remote = openRemoteEngine({ client: lambdaClient(), functionName: "inspect", blobs, clock });
    const steps = openLambdaEngine({ clock, jobTimeoutSeconds: 300, tasks: (await loadTasks()).values() });
    return {
      run: (task, payload, limits) => (task.name === inspectTask.name ? remote : steps).run(task, payload, limits),
      async close() {},
    };
  },
});
