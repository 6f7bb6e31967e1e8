/** Secrets Manager's driver against exchanges written from its API reference. */
import { inspect } from "node:util";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSecrets, type Secrets } from "../../../../functions/adapters/aws/secrets.ts";
import { AppError, ServiceUnavailable } from "../../../../functions/ports/errors.ts";
import { type ManualClock, manualClock } from "../../../support/clock.ts";
import { type Answer, clientOptions, connectionReset, Exchanges } from "./exchanges.ts";

let exchanges: Exchanges;
let clock: ManualClock;
let secrets: Secrets;
beforeEach(() => {
  exchanges = new Exchanges();
  clock = manualClock();
  const client = new SecretsManagerClient({ ...clientOptions(exchanges), maxAttempts: 1 });
  secrets = openSecrets({ client, clock, ttlSeconds: 60 });
});
afterEach(() => expect(exchanges.left).toBe(0));

const secret = (SecretString: string): Answer => ({
  status: 200,
  headers: { "content-type": "application/x-amz-json-1.1" },
  body: JSON.stringify({
    ARN: "arn:aws:secretsmanager:eu-central-1:123456789012:secret:sheaf/key-a1b2c3",
    Name: "sheaf/key",
    SecretString,
    VersionId: "a1b2c3d4-5678-90ab-cdef-EXAMPLE11111",
    VersionStages: ["AWSCURRENT"],
    CreatedDate: 1_523_477_145.713,
  }),
});
const refusal = (status: number, type: string): Answer => ({
  status,
  headers: { "x-amzn-errortype": type },
  body: JSON.stringify({ __type: type, message: "what the service says" }),
});

describe("openSecrets", () => {
  it("sends GetSecretValue by name or ARN", async () => {
    exchanges.add(secret("sk-1"));
    expect(await secrets.text("sheaf/key")).toBe("sk-1");
    expect(exchanges.seen).toEqual([
      {
        method: "POST",
        host: "https://secretsmanager.eu-central-1.amazonaws.com",
        path: "/",
        headers: {
          "content-type": "application/x-amz-json-1.1",
          "content-length": "24",
          "x-amz-target": "secretsmanager.GetSecretValue",
        },
        body: Buffer.from('{"SecretId":"sheaf/key"}'),
      },
    ]);
  });

  it("asks once for all callers, and again after the TTL", async () => {
    exchanges.add(secret("one"), secret("other"), secret("two"));
    expect(await Promise.all([1, 2, 3].map(() => secrets.text("a")))).toEqual(["one", "one", "one"]);
    expect(await secrets.text("b")).toBe("other");
    clock.advance(59_999);
    expect(await secrets.text("a")).toBe("one");
    clock.advance(1);
    expect(await secrets.text("a")).toBe("two");
    expect(exchanges.seen).toHaveLength(3);
  });

  it("shares one request among concurrent callers", async () => {
    let answer: (with_: Answer) => void = () => {};
    exchanges.add(() => new Promise<Answer>((resolve) => (answer = resolve)));
    const first = secrets.text("a");
    await new Promise((resolve) => setTimeout(resolve, 10));
    const second = secrets.text("a");
    answer(refusal(400, "AccessDeniedException"));
    const outcomes = await Promise.allSettled([first, second]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    exchanges.add(secret("granted"));
    expect(await secrets.text("a"), "a failure is not kept").toBe("granted");
  });
});

describe("openSecrets in an outage", () => {
  it("uses the outdated secret, without a request at every call", async () => {
    exchanges.add(secret("old"));
    await secrets.text("a");
    for (const failure of [
      connectionReset(),
      refusal(400, "ThrottlingException"),
      refusal(500, "InternalServiceError"),
      refusal(503, "ServiceUnavailableException"),
    ]) {
      clock.advance(60_000);
      exchanges.add(failure);
      expect(await secrets.text("a")).toBe("old");
      clock.advance(29_999);
      expect(await secrets.text("a")).toBe("old");
    }
    expect(exchanges.seen).toHaveLength(5);
    clock.advance(1);
    exchanges.add(secret("new"));
    expect(await secrets.text("a")).toBe("new");
  });

  it("reports the outage when no secret is cached", async () => {
    exchanges.add(refusal(500, "InternalServiceError"));
    await expect(secrets.text("a")).rejects.toThrow(ServiceUnavailable);
  });
});

describe("openSecrets with a withdrawn secret", () => {
  for (const type of [
    "ResourceNotFoundException",
    "AccessDeniedException",
    "InvalidRequestException",
    "DecryptionFailure",
  ]) {
    it(`(${type}) stops using it, also when Secrets Manager is unreachable afterwards`, async () => {
      exchanges.add(secret("old"), refusal(400, type), connectionReset());
      await secrets.text("a");
      clock.advance(60_000);
      const failure = await secrets.text("a").catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(AppError);
      expect(failure).toMatchObject({ kind: "InternalServerError", retryable: false, cause: { name: type } });
      await expect(secrets.text("a")).rejects.toThrow(ServiceUnavailable);
    });
  }
});

describe("Secrets.members", () => {
  it("reads the members of a JSON object", async () => {
    exchanges.add(secret('{"key":"sk-1","organization":7}'));
    expect(await secrets.members("a")).toEqual({ key: "sk-1", organization: 7 });
    expect(await secrets.text("a"), "the same secret, asked for once").toBe('{"key":"sk-1","organization":7}');
  });

  it("refuses a text that is not a JSON object, without quoting the secret", async () => {
    for (const text of ["hunter2", '["hunter2"]', '"hunter2"', "null"]) {
      exchanges.add(secret(text));
      const failure = await secrets.members(text).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(AppError);
      expect(inspect(failure, { depth: 10 })).not.toContain("hunter2");
    }
  });

  it("refuses a binary secret", async () => {
    exchanges.add({ status: 200, body: JSON.stringify({ Name: "a", SecretBinary: "aHVudGVyMg==" }) });
    await expect(secrets.text("a")).rejects.toThrow("A secret of the service is not a text.");
  });
});

it("openSecrets refuses an invalid TTL", () => {
  const client = new SecretsManagerClient(clientOptions(exchanges));
  for (const ttlSeconds of [-1, Number.NaN]) {
    expect(() => openSecrets({ client, clock, ttlSeconds })).toThrow(RangeError);
  }
});
