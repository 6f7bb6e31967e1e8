/** Requests that come by a gateway route for any method of a path. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { apiHandler } from "../../../bin/cloud/api.ts";
import { serviceRoutes } from "../../../functions/api/service.ts";
import type { HttpEvent } from "../../../functions/ports/http.ts";

beforeEach(() => {
  const settings = { SHEAF_METRICS: "a-stack", SHEAF_VERSION: "1.2.3", SHEAF_TABLE: "t", SHEAF_BUCKET: "b" };
  for (const [name, value] of Object.entries({ ...settings, AWS_REGION: "eu-central-1" })) vi.stubEnv(name, value);
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const handler = apiHandler(serviceRoutes);
const ask = async (method: string, rawPath = "/health") => {
  const event: HttpEvent = {
    version: "2.0",
    routeKey: `ANY ${rawPath}`,
    rawPath,
    rawQueryString: "",
    headers: {},
    requestContext: { requestId: "r", http: { method, path: rawPath, sourceIp: "192.0.2.1" }, timeEpoch: 0 },
    isBase64Encoded: false,
  };
  return handler(event);
};

it("are served by the path's method", async () => {
  expect(await ask("GET")).toMatchObject({ statusCode: 200, body: expect.stringContaining("1.2.3") });
  expect(await ask("GET", "/compat/health")).toMatchObject({ statusCode: 200 });
});

it("get the headers of GET alone for HEAD", async () => {
  const whole = await ask("GET");
  const head = await ask("HEAD");
  expect(head).toMatchObject({ statusCode: 200, body: "" });
  expect(head.headers?.["Content-Length"]).toBe(String(Buffer.byteLength(whole.body)));
});

it.each(["/health", "/compat/health"])("name the methods that %s has", async (path) => {
  const answer = await ask("PUT", path);
  expect(answer.statusCode).toBe(405);
  expect(answer.headers?.Allow).toBe("GET, HEAD");
  expect(JSON.parse(answer.body)).toMatchObject({ path, message: `${path} has no PUT; it has GET, HEAD` });
});
