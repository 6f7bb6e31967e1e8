/** The driver of Secrets Manager, over HTTP against the emulator. */
import {
  CreateSecretCommand,
  DeleteSecretCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";
import { afterAll, describe, expect, it } from "vitest";
import { openSecrets } from "../../functions/adapters/aws/secrets.ts";
import { manualClock } from "../support/clock.ts";
import { startMinistack } from "../support/ministack.ts";

const emulator = await startMinistack();
const client = new SecretsManagerClient({ ...emulator?.clientOptions });
afterAll(async () => {
  client.destroy();
  await emulator?.close();
});

describe.skipIf(emulator === undefined)("Secrets Manager on the emulator", () => {
  it("returns a secret by name and ARN, its new version after a while, and none after its deletion", async () => {
    const clock = manualClock();
    const secrets = openSecrets({ client, clock });
    const created = await client.send(new CreateSecretCommand({ Name: "sheaf/key", SecretString: '{"key":"one"}' }));
    expect(await secrets.text("sheaf/key")).toBe('{"key":"one"}');
    expect(await secrets.members(created.ARN ?? "")).toEqual({ key: "one" });
    await client.send(new PutSecretValueCommand({ SecretId: "sheaf/key", SecretString: '{"key":"two"}' }));
    expect(await secrets.members("sheaf/key")).toEqual({ key: "one" });
    clock.advance(300_000);
    expect(await secrets.members("sheaf/key")).toEqual({ key: "two" });
    await client.send(new DeleteSecretCommand({ SecretId: "sheaf/key" }));
    clock.advance(300_000);
    await expect(secrets.text("sheaf/key")).rejects.toMatchObject({ kind: "InternalServerError" });
    await expect(secrets.text("sheaf/none")).rejects.toMatchObject({ kind: "InternalServerError" });
  });
});
