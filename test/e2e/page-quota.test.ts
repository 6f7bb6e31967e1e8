/** A spent page quota: refused with a status, a sentence and a time, and nothing kept of what was refused. */
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { form } from "../support/api.ts";
import { pictureEngine } from "../support/recognition.ts";
import { startTestService, type TestService } from "../support/service.ts";

let target: TestService;
beforeAll(async () => {
  const ocr = pictureEngine({ pages: [], completed: [] });
  target = await startTestService({ env: { SHEAF_PAGE_QUOTA: "1" }, ocr });
});
afterAll(() => target.close());

it("a picture is refused with 403 and Retry-After once the pages of the day are used, for its organization alone", async () => {
  const { api, other } = target;
  const picture = await sharp({ create: { width: 200, height: 200, channels: 3, background: "white" } })
    .png()
    .toBuffer();
  const send = (caller: typeof api) =>
    caller.post("/document/upload-files", { body: form(picture, { name: "a.png", type: "image/png" }) });
  const first = await send(api);
  expect(first.status).toBe(200);
  await api.ended(first.json.guid);
  const before = (await api.get("/job/list")).json.totalSize;

  const refused = await send(api);
  expect(refused.status).toBe(403);
  expect(refused.json).toMatchObject({
    error: "Forbidden",
    message: "Your organization has used the 1 page that it may have recognised a day; try again after 00:00 UTC",
  });
  const wait = Number(refused.headers.get("retry-after"));
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(86_400);
  expect((await api.get("/job/list")).json.totalSize).toBe(before);

  expect((await send(other)).status).toBe(200);
  // A text needs no recognition.
  expect((await api.post("/document/upload-files", { body: form("Total: 5") })).status).toBe(200);
});
