/**
 * The restore drill: data of the deployment, of a moment before jobs were deleted and added, restored to another table
 * and bucket. It runs alone: other tests would change jobs between the export and the moment.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CreateTableCommand, DeleteTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { CreateBucketCommand, GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { CreateSecretCommand, GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDynamoRecords } from "../../functions/adapters/aws/records.ts";
import { type RestoreClients, restoreDeployment } from "../../functions/adapters/aws/restore/restore-deployment.ts";
import { listFiles } from "../../functions/adapters/aws/restore/restore-files.ts";
import { restoreTable, scanItems } from "../../functions/adapters/aws/restore/restore-records.ts";
import { RECORDS_TABLE } from "../../functions/adapters/aws/table.ts";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { organizationRecords } from "../../functions/service/organizations/organization-records.ts";
import { loadJob } from "../../functions/service/runs/job-store.ts";
import { form } from "../support/api.ts";
import { collect } from "../support/collect.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { REMOTE_URL } from "../support/target.ts";

const { clientOptions = {}, outputs = {} } = JSON.parse(process.env.SHEAF_E2E_AWS ?? "{}");
const DRILL_MS = 240_000;
const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

describe.skipIf(REMOTE_URL === undefined)("the restore drill", () => {
  const clients: RestoreClients = {
    dynamo: new DynamoDBClient({ ...clientOptions }),
    s3: new S3Client({ ...clientOptions, forcePathStyle: true }),
    secrets: new SecretsManagerClient({ ...clientOptions }),
  };
  let target: TestService;
  let folder: string;
  beforeAll(async () => {
    target = await startTestService();
    folder = mkdtempSync(join(tmpdir(), "sheaf-drill-"));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
    for (const client of Object.values(clients)) client.destroy();
  });

  const source = { table: outputs.TableName, bucket: outputs.BucketName, secrets: [outputs.ServerKeySecret] };

  async function completed(text: string): Promise<string> {
    const { api } = target;
    const { json } = await api.post("/document/upload-files", { body: form(text) });
    expect((await api.ended(json.guid)).status).toBe("COMPLETED");
    return json.guid;
  }

  /** The records as DynamoDB exports them. */
  async function exported(): Promise<string> {
    const file = join(folder, "records.json");
    const items = await collect(scanItems(clients.dynamo, source.table));
    writeFileSync(file, items.map((Item) => `${JSON.stringify({ Item })}\n`).join(""));
    return file;
  }

  /** True when a restored table holds the past; the emulator gives the present, whatever moment is asked for. */
  async function keepsThePast(at: Date, later: string): Promise<boolean> {
    const past = "drill-past";
    await restoreTable(clients.dynamo, { source: source.table, target: past, at }, sleep);
    const items = await collect(scanItems(clients.dynamo, past));
    await clients.dynamo.send(new DeleteTableCommand({ TableName: past }));
    return !items.some(({ pk }) => pk?.S?.endsWith(`/job/${later}`));
  }

  async function makeKeepers() {
    const { partitionKey, sortKey, billingMode } = RECORDS_TABLE;
    await clients.dynamo.send(
      new CreateTableCommand({
        TableName: "drill-records",
        BillingMode: billingMode,
        KeySchema: [
          { AttributeName: partitionKey.name, KeyType: "HASH" },
          { AttributeName: sortKey.name, KeyType: "RANGE" },
        ],
        AttributeDefinitions: [partitionKey, sortKey].map(({ name, type }) => ({
          AttributeName: name,
          AttributeType: type,
        })),
      }),
    );
    await clients.s3.send(new CreateBucketCommand({ Bucket: "drill-files" }));
    const { ARN = "" } = await clients.secrets.send(new CreateSecretCommand({ Name: "drill-key", SecretString: "x" }));
    return { table: "drill-records", bucket: "drill-files", secrets: [ARN] };
  }

  it("brings back jobs with their files as they were, and nothing of later", { timeout: DRILL_MS }, async () => {
    const { api, keys } = target;
    const kept = await completed("Total: 5");
    const deleted = await completed("Total: 6");
    const file = await exported();
    // S3 tells the time of a version in whole seconds.
    await sleep(1100);
    const at = new Date(Math.floor(Date.now() / 1000) * 1000);
    await sleep(1100);
    expect((await api.delete(`/job/${deleted}`)).json).toMatchObject({ jobsDeleted: 1 });
    const later = await completed("Total: 7");
    const prefix = `org/${keys.organizationId}/jobs/${deleted}/`;
    const gone = async () => ![...(await listFiles(clients.s3, source.bucket))].some((key) => key.startsWith(prefix));
    for (let round = 0; round < 100 && !(await gone()); round += 1) await sleep(200);
    expect(await gone()).toBe(true);

    const pastKept = await keepsThePast(at, later);
    if (!pastKept) {
      console.warn(
        "NOT TO A POINT IN TIME: the emulator restores a table as it is now; the drill restores its records from an export",
      );
    }
    const to = await makeKeepers();
    const said: string[] = [];
    const restored = await restoreDeployment({
      from: source,
      to,
      at,
      ...(pastKept ? {} : { exportFile: file }),
      clients,
      say: (line) => said.push(line),
      sleep,
    });
    expect(restored.missing).toEqual([]);
    expect(restored.jobs).toBeGreaterThanOrEqual(2);
    expect(said).toEqual([
      "1 secrets copied",
      expect.stringMatching(/^\d+ files of .* copied to drill-files$/),
      ...(pastKept ? [expect.stringContaining("is there as")] : []),
      `${restored.records} records copied to drill-records`,
    ]);

    const records = openDynamoRecords({ client: clients.dynamo, table: to.table, clock: systemClock() });
    const org = { records: organizationRecords(records, keys.organizationId) } as Parameters<typeof loadJob>[0];
    for (const guid of [kept, deleted]) {
      const { value } = await loadJob(org, guid);
      expect(value.status).toBe("COMPLETED");
      const Key = `org/${keys.organizationId}/${value.runs[0]?.resultKey}`;
      const { Body } = await clients.s3.send(new GetObjectCommand({ Bucket: to.bucket, Key }));
      expect(await Body?.transformToString()).toContain(guid === kept ? "5" : "6");
    }
    await expect(loadJob(org, later)).rejects.toThrow();
    const [one, other] = await Promise.all(
      [source, to].map(({ secrets }) => clients.secrets.send(new GetSecretValueCommand({ SecretId: secrets[0] }))),
    );
    expect(other?.SecretString).toBe(one?.SecretString);
    // A deployment that has been used is left alone.
    await expect(restoreDeployment({ from: source, to, at, clients, say: () => {}, sleep })).rejects.toThrow(
      "has jobs or settings already",
    );
  });
});
