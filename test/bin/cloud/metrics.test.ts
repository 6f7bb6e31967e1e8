/** The metrics that a function of the deployment writes. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { apiHandler } from "../../../bin/cloud/api.ts";
import { stepHandler } from "../../../bin/cloud/step.ts";
import { serviceRoutes } from "../../../functions/api/service.ts";
import type { HttpEvent } from "../../../functions/ports/http.ts";

const NAMESPACE = "a-stack";

let written: string[];
beforeEach(() => {
  written = [];
  const settings = { SHEAF_METRICS: NAMESPACE, SHEAF_VERSION: "1", SHEAF_TABLE: "t", SHEAF_BUCKET: "b" };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  vi.stubEnv("AWS_REGION", "eu-central-1");
  vi.spyOn(process.stdout, "write").mockImplementation((line) => {
    written.push(String(line));
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const metricLines = () => written.map((line) => JSON.parse(line)).filter((line) => "_aws" in line);

const event = (routeKey: string): HttpEvent => ({
  version: "2.0",
  routeKey,
  rawPath: "/health",
  rawQueryString: "",
  headers: {},
  requestContext: { requestId: "r", http: { method: "GET", path: "/health", sourceIp: "192.0.2.1" }, timeEpoch: 0 },
  isBase64Encoded: false,
});

it("are one line of a request", async () => {
  const handler = apiHandler(serviceRoutes);
  expect((await handler(event("GET /health"))).statusCode).toBe(200);
  const [line, ...others] = metricLines();
  expect(others).toEqual([]);
  expect(line._aws.CloudWatchMetrics).toMatchObject([
    { Namespace: NAMESPACE, Dimensions: [["route", "status"]], Metrics: [{ Name: "http_requests_total" }] },
    { Namespace: NAMESPACE, Dimensions: [["route"]], Metrics: [{ Name: "http_request_seconds" }] },
  ]);
  expect(line).toMatchObject({ route: "GET /health", status: "200", http_requests_total: 1 });
});

it("are one line of a step, also of one that fails", async () => {
  const handler = stepHandler((organization) => async () => {
    const { observer } = organization(1);
    observer.time("step_seconds", { step: "settle", outcome: "done" }, 0.5);
    observer.count("runs_settled_total", { status: "COMPLETED" });
    throw new Error("the step's own");
  });
  await expect(handler({})).rejects.toThrow("the step's own");
  expect(metricLines()).toMatchObject([
    { step: "settle", outcome: "done", step_seconds: 0.5, status: "COMPLETED", runs_settled_total: 1 },
  ]);
});
