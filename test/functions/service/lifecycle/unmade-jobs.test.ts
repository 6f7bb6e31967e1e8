/** Documents without a job are deleted a day later, with what they take of the quota; others stay. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { sweepUnmadeJobs } from "../../../../functions/service/lifecycle/unmade-jobs.ts";
import { recordOrganizations } from "../../../../functions/service/organizations/known-organizations.ts";
import { receivingOrganization } from "../../../../functions/service/organizations/receiving-organization.ts";
import { sourceKey } from "../../../../functions/service/runs/job-records.ts";
import { createJob } from "../../../../functions/service/runs/job-store.ts";
import { type TestPlatform, testPlatform } from "../../../support/platform.ts";

let at: TestPlatform;
beforeEach(async () => {
  at = testPlatform();
  await recordOrganizations(at.system, [1]);
});
afterEach(() => at.close());

const DAY = 24 * 3600;
const sweep = () => sweepUnmadeJobs(at.platform, at.system);

it("a document whose job was never made is deleted after a day, and a job's document stays", async () => {
  const org = receivingOrganization(at.org);
  const bytes = Buffer.from("Some text.");
  const made = await createJob(org, { bytes, mimeType: "text/plain", fileName: null });
  // A crash right after the file was stored, and one right after it was counted.
  const [stored, counted] = [at.platform.engines.clock.guid(), at.platform.engines.clock.guid()];
  await org.blobs.put(sourceKey(stored), bytes);
  await at.org.storedFiles.take(sourceKey(counted), bytes.length);
  expect((await at.org.storedFiles.use()).storedBytes).toBe(3 * bytes.length);
  expect(await sweep()).toBe(0);
  // The clock moves, and the GUIDs of the test's jobs do not.
  at.pass(2 * DAY);
  expect(await sweep()).toBe(2);
  expect((await at.org.storedFiles.use()).storedBytes).toBe(bytes.length);
  expect(await at.org.blobs.get(sourceKey(stored))).toBeUndefined();
  expect((await at.org.blobs.get(made.source.key))?.length).toBe(bytes.length);
  at.pass(DAY);
  expect(await sweep()).toBe(0);
});
