/** Requests of single pictures to Textract, and the handling of its errors. */
import { TextractClient } from "@aws-sdk/client-textract";
import { describe, expect, it } from "vitest";
import { openTextract } from "../../../../functions/adapters/aws/textract.ts";
import { answer, hurriedClock, type Request, refusal, talkingTo } from "./json-exchange.ts";
import { drawPage, engineOf, LETTER, PICTURE } from "./textract.support.ts";

describe("recognition of a picture", () => {
  it("sends the picture, and counts one page of the requested features", async () => {
    const requests: Request[] = [];
    const { recognize } = engineOf((request) => {
      requests.push(request);
      return answer({ DocumentMetadata: { Pages: 1 }, Blocks: drawPage().blocks });
    });
    const Document = { Bytes: Buffer.from(PICTURE).toString("base64") };
    expect((await recognize()).use).toEqual({
      provider: "textract",
      operation: "DetectDocumentText",
      features: [],
      pages: 1,
    });
    const features = ["LAYOUT", "TABLES", "FORMS"];
    expect((await recognize({}, "PREMIUM")).use).toEqual({
      provider: "textract",
      operation: "AnalyzeDocument",
      features,
      pages: 1,
    });
    expect(requests).toEqual([
      { operation: "DetectDocumentText", body: { Document } },
      { operation: "AnalyzeDocument", body: { Document, FeatureTypes: features } },
    ]);
  });
});

describe("refusals of Textract", () => {
  it("fail the job with the sentence of the document's fault", async () => {
    for (const [error, message, sentence] of [
      ["BadDocumentException", "Request has bad document", "Document appears to be corrupted"],
      ["UnsupportedDocumentException", "Request has unsupported document format", "Document format not supported"],
      ["UnsupportedDocumentException", "The PDF is encrypted", "Document is password protected"],
      ["InvalidParameterException", "Request has invalid parameters", "Text extraction failed"],
      ["DocumentTooLargeException", "", "Document is too large for text recognition"],
    ] as const) {
      const { recognize, clock } = engineOf(() => refusal(error, message));
      await expect(recognize()).rejects.toMatchObject({
        name: "JobFailure",
        message: `Processing failed: ${sentence}`,
        retryable: false,
      });
      expect(clock.slept).toEqual([]);
    }
  });

  it("are foreseen for pictures that are too large or empty, which are not sent", async () => {
    const { recognize, engine } = engineOf(() => refusal("InternalServerError", "", 500));
    expect(engine.maxImageBytes).toBe(5_242_880);
    const sentence = "Processing failed: Document is too large for text recognition";
    await expect(recognize({ bytes: new Uint8Array(5_242_881) })).rejects.toMatchObject({ message: sentence });
    const corrupted = "Processing failed: Document appears to be corrupted";
    await expect(recognize({ bytes: new Uint8Array() })).rejects.toMatchObject({ message: corrupted });
  });

  it("are retried while the service is busy, then reported", async () => {
    const busy = [
      refusal("ProvisionedThroughputExceededException"),
      refusal("ThrottlingException"),
      refusal("InternalServerError", "", 500),
      { broken: "ECONNRESET" },
      refusal("LimitExceededException"),
    ];
    const done = engineOf(() => busy.shift() ?? answer({ Blocks: [] }));
    await done.recognize();
    expect(done.clock.slept).toEqual([150, 300, 600, 1200, 2400]);

    let requests = 0;
    const never = engineOf(() => {
      requests += 1;
      return refusal("ProvisionedThroughputExceededException", "Provisioned rate exceeded");
    });
    await expect(never.recognize()).rejects.toMatchObject({
      kind: "ServiceUnavailable",
      retryable: true,
      retryAfter: 5,
      message: "Text recognition is busy; try again later",
    });
    expect(requests).toBe(6);
    // No attempt starts after the deadline.
    await expect(never.recognize({}, "DEFAULT", 1000)).rejects.toMatchObject({ kind: "ServiceUnavailable" });
    expect(requests).toBe(9);
  });

  it("include a request that outlasts the deadline", async () => {
    const clock = hurriedClock();
    const client = new TextractClient({
      ...talkingTo(() => answer({})),
      requestHandler: {
        handle: (_request: unknown, { abortSignal }: { abortSignal?: AbortSignal } = {}) =>
          new Promise((_resolve, reject) => {
            abortSignal?.addEventListener("abort", () => {
              reject(Object.assign(new Error("Request aborted"), { name: "AbortError" }));
            });
          }),
      },
    });
    const engine = openTextract({ client, clock, bucket: "documents", jobTimeoutSeconds: 300 });
    const image = { bytes: PICTURE, pageNumber: 1, frame: LETTER };
    await expect(engine.recognize(image, "DEFAULT", { deadline: clock.now() + 20 })).rejects.toMatchObject({
      message: "Processing timeout after 300 seconds",
      retryable: false,
    });
  });

  it("are internal errors when an operator must fix them", async () => {
    for (const error of ["AccessDeniedException", "InvalidS3ObjectException", "InvalidKMSKeyException", "Odd"]) {
      const { recognize } = engineOf(() => refusal(error, "arn:aws:iam::123456789012:role/x is not allowed"));
      const failure = await recognize().catch((thrown) => thrown);
      expect(failure).toMatchObject({ kind: "InternalServerError", retryable: false });
      expect(failure.message).not.toMatch(/arn|Denied|Exception/);
    }
  });
});
