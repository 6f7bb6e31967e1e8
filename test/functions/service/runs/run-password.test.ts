import { inspect } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { JOB_SENTENCES, ServiceUnavailable } from "../../../../functions/ports/errors.ts";
import { settleRun } from "../../../../functions/service/lifecycle/settle-run.ts";
import { openVault } from "../../../../functions/service/organizations/vault.ts";
import { loadDocumentBytes } from "../../../../functions/service/runs/document-bytes.ts";
import { loadJob } from "../../../../functions/service/runs/job-store.ts";
import { findRun, loadCommand, openRun } from "../../../../functions/service/runs/open-run.ts";
import { openPassword } from "../../../../functions/service/runs/run-password.ts";
import { SecretText } from "../../../../functions/service/runs/secret-text.ts";
import { type TestPlatform, testPlatform, withLostStarts } from "../../../support/platform.ts";
import { commandOf, uploaded } from "../../../support/runs.ts";

let at: TestPlatform;
afterEach(() => at.close());

const COMMAND = commandOf({ password: new SecretText("canary"), hasPassword: true });

/** An open run with a password, which no machine works on. */
async function opened() {
  at = testPlatform();
  const guid = await uploaded(at.org);
  await openRun(withLostStarts(at.org), guid, COMMAND);
  const job = (await loadJob(at.org, guid)).value;
  const run = findRun(job, 1);
  if (run === undefined) throw new Error("The run was opened");
  return { org: at.org, job, run, deadline: at.org.engines.clock.now() + 10_000 };
}

describe("SecretText", () => {
  it("shows its text nowhere but where it is asked for", () => {
    at = testPlatform();
    const secret = new SecretText("canary");
    expect(secret.reveal()).toBe("canary");
    expect([JSON.stringify({ secret }), `${secret}`, inspect({ secret })]).toEqual([
      "{}",
      "[secret]",
      "{ secret: [secret] }",
    ]);
  });
});

describe("the password of a run", () => {
  it("opens for its job alone, and is no part of the stored command", async () => {
    const { org, job, run } = await opened();
    expect(await openPassword(org, job, run)).toBe("canary");
    expect(await loadCommand(org, run)).toMatchObject({ hasPassword: true });
    expect(await loadCommand(org, run)).not.toHaveProperty("password");
    const record = await org.records.get({ partition: `job/${job.guid}`, sort: "run/000001/password" });
    const sealed = String(record?.value.sealed);
    expect(await org.documentVault.open(sealed, `password/${job.guid}`)).toBe("canary");
    await expect(org.documentVault.open(sealed, "password/another")).rejects.toThrow();
  });

  it("is gone with the run's end, and says so", async () => {
    const { org, job, run } = await opened();
    await settleRun(org, job.guid, 1, "Processing failed: enough");
    await expect(openPassword(org, job, run)).rejects.toThrow(JOB_SENTENCES.lostPassword);
    expect((await org.records.query({ partition: `job/${job.guid}`, prefix: "run/" })).items).toEqual([]);
  });

  it("fails the run with a sentence when its key is another", async () => {
    const place = await opened();
    const org = { ...place.org, documentVault: openVault(async () => Buffer.alloc(32, "another")) };
    await expect(loadDocumentBytes({ ...place, org }, COMMAND)).rejects.toThrow(JOB_SENTENCES.lostPassword);
  });

  it("is asked for again while the service that keeps its key does not answer", async () => {
    const place = await opened();
    const unavailable = new ServiceUnavailable("The keys do not answer");
    const documentVault = openVault(() => Promise.reject(unavailable));
    await expect(openPassword({ ...place.org, documentVault }, place.job, place.run)).rejects.toBe(unavailable);
  });
});
