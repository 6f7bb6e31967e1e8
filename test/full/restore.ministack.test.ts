/**
 * The restore of records and files of a moment on the emulator, without a deployment. test/cloud has the drill of a
 * deployment.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { CreateBucketCommand, PutBucketVersioningCommand, S3Client } from "@aws-sdk/client-s3";
import { CreateSecretCommand, GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openS3Blobs } from "../../functions/adapters/aws/blobs.ts";
import { openDynamoRecords } from "../../functions/adapters/aws/records.ts";
import { type RestoreClients, restoreDeployment } from "../../functions/adapters/aws/restore/restore-deployment.ts";
import { scanItems } from "../../functions/adapters/aws/restore/restore-records.ts";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { deleteJob, finishDeletion } from "../../functions/service/lifecycle/delete-job.ts";
import { waitForEnd } from "../../functions/service/lifecycle/views/wait-for-end.ts";
import { bindOrganization, type Organization } from "../../functions/service/organizations/organization.ts";
import { loadJob } from "../../functions/service/runs/job-store.ts";
import { openRun } from "../../functions/service/runs/open-run.ts";
import { collect } from "../support/collect.ts";
import { makeRecordsTable } from "../support/dynoxide.ts";
import { startMinistack } from "../support/ministack.ts";
import { type TestPlatform, testPlatform } from "../support/platform.ts";
import { commandOf, uploaded } from "../support/runs.ts";

const emulator = await startMinistack();
const clients: RestoreClients = {
  dynamo: new DynamoDBClient({ ...emulator?.clientOptions }),
  s3: new S3Client({ ...emulator?.clientOptions, forcePathStyle: true }),
  secrets: new SecretsManagerClient({ ...emulator?.clientOptions }),
};
const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** Table and bucket of a deployment, with a secret. */
async function makeKeepers(name: string) {
  const [table, bucket] = [`${name}-records`, `${name}-files`];
  await makeRecordsTable(clients.dynamo, table);
  await clients.s3.send(new CreateBucketCommand({ Bucket: bucket }));
  const VersioningConfiguration = { Status: "Enabled" } as const;
  await clients.s3.send(new PutBucketVersioningCommand({ Bucket: bucket, VersioningConfiguration }));
  const { ARN = "" } = await clients.secrets.send(
    new CreateSecretCommand({ Name: name, SecretString: `key of ${name}` }),
  );
  return { table, bucket, secrets: [ARN] };
}
type Keepers = Awaited<ReturnType<typeof makeKeepers>>;

describe.skipIf(emulator === undefined)("a restore on the emulator", () => {
  let at: TestPlatform;
  let folder: string;
  beforeAll(() => {
    at = testPlatform();
    folder = mkdtempSync(join(tmpdir(), "sheaf-restore-"));
  });
  afterAll(async () => {
    await at.close();
    rmSync(folder, { recursive: true });
    for (const client of Object.values(clients)) client.destroy();
    await emulator?.close();
  });

  /** The platform's organization with its data in a table and a bucket. */
  function organizationIn({ table, bucket }: Keepers): Organization {
    const clock = systemClock();
    at.platform.records = openDynamoRecords({ client: clients.dynamo, table, clock });
    at.platform.blobs = openS3Blobs({ client: clients.s3, bucket, clock });
    return bindOrganization(at.platform, 1);
  }
  async function completed(org: Organization): Promise<string> {
    const guid = await uploaded(org);
    await openRun(org, guid, commandOf());
    expect((await waitForEnd(org, guid, 20)).status).toBe("COMPLETED");
    return guid;
  }
  async function exported(table: string): Promise<string> {
    const file = join(folder, "records.json");
    const items = await collect(scanItems(clients.dynamo, table));
    writeFileSync(file, items.map((Item) => `${JSON.stringify({ Item })}\n`).join(""));
    return file;
  }

  it("brings back deleted jobs with their files, and none of later; the first deployment stays as it is", async () => {
    const [from, to] = [await makeKeepers("first"), await makeKeepers("second")];
    const first = organizationIn(from);
    const [kept, deleted] = [await completed(first), await completed(first)];
    const exportFile = await exported(from.table);
    // S3 tells the time of a version in whole seconds.
    await sleep(1100);
    const moment = new Date(Math.floor(Date.now() / 1000) * 1000);
    await sleep(1100);
    await deleteJob(first, deleted);
    while (!(await finishDeletion(first, deleted))) await sleep(10);
    const later = await completed(first);

    const options = { from, to, at: moment, clients, say: () => {}, sleep };
    const restored = await restoreDeployment({ ...options, exportFile });
    expect(restored).toMatchObject({ jobs: 2, missing: [], unowned: 0 });
    expect(restored.records).toBeGreaterThan(4);

    const second = organizationIn(to);
    for (const guid of [kept, deleted]) {
      const { value } = await loadJob(second, guid);
      expect(value.status).toBe("COMPLETED");
      const result = await second.blobs.get(value.runs[0]?.resultKey ?? "");
      expect(JSON.parse(Buffer.from(result ?? []).toString())).toEqual({ a: 1 });
    }
    await expect(loadJob(second, later)).rejects.toThrow();
    const { SecretString } = await clients.secrets.send(new GetSecretValueCommand({ SecretId: to.secrets[0] }));
    expect(SecretString).toBe("key of first");

    const again = organizationIn(from);
    await expect(loadJob(again, deleted)).rejects.toThrow();
    expect((await loadJob(again, later)).value.status).toBe("COMPLETED");
    await expect(restoreDeployment({ ...options, exportFile })).rejects.toThrow("has jobs or settings already");
  });

  it("finds the files that are missing", async () => {
    const [from, to] = [await makeKeepers("third"), await makeKeepers("fourth")];
    const guid = await completed(organizationIn(from));
    const exportFile = await exported(from.table);
    const before = new Date(Date.now() - 60_000);
    const { missing } = await restoreDeployment({ from, to, at: before, exportFile, clients, say: () => {}, sleep });
    expect(missing).toContain(`org/1/jobs/${guid}/source`);
  });

  it("takes the records from the table's own past, by a third table that is removed", async () => {
    const [from, to] = [await makeKeepers("fifth"), await makeKeepers("sixth")];
    const guid = await completed(organizationIn(from));
    await sleep(1100);
    const said: string[] = [];
    // The emulator's past is the present, so this moment is.
    const now = new Date();
    const restored = await restoreDeployment({ from, to, at: now, clients, say: (line) => said.push(line), sleep });
    expect(restored).toMatchObject({ jobs: 1, missing: [] });
    expect(said).toContainEqual(`The table of ${now.toISOString()} is there as sixth-records-past-${now.getTime()}`);
    expect((await loadJob(organizationIn(to), guid)).value.status).toBe("COMPLETED");
    await expect(collect(scanItems(clients.dynamo, `sixth-records-past-${now.getTime()}`))).rejects.toThrow();
  });
});
