/** Calls that wait for their run, past the longest wait. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { ocrSync, uploadFilesSync } from "../../../functions/api/documents.ts";
import { parseMultipart } from "../../../functions/api/http/multipart.ts";
import { easyTasks, type TestPlatform, testPlatform } from "../../support/platform.ts";

let at: TestPlatform;
let reading: PromiseWithResolvers<void>;
beforeEach(() => {
  reading = Promise.withResolvers();
  at = testPlatform({
    async read() {
      await reading.promise;
      return easyTasks.read();
    },
  });
});
afterEach(async () => {
  reading.resolve();
  await at.close();
});

it.each([
  ["POST /document/upload-files/sync", uploadFilesSync],
  ["POST /document/ocr/sync", ocrSync],
])("%s answers 202 with the job when the run is still open", async (_name, route) => {
  const body = '--b\r\nContent-Disposition: form-data; name="document"; filename="a.txt"\r\n\r\nTotal: 5\r\n--b--\r\n';
  const input = {
    params: {},
    query: {},
    body: undefined,
    multipart: parseMultipart("multipart/form-data; boundary=b", Buffer.from(body), 1_000),
    idempotencyKey: undefined,
    newGuid: at.platform.engines.clock.guid(),
  };
  const answer = route.run(input as never, { org: at.org } as never);
  await at.org.engines.clock.sleep(100);
  at.pass(30);
  const status = expect.stringMatching(/^(PENDING|PROCESSING)$/);
  expect(await answer).toMatchObject({ status: 202, body: { guid: input.newGuid, status } });
});
