/** The contract of OcrEngine on the Textract driver, over HTTP against a stub with this machine's own recognition. */
import { TextractClient } from "@aws-sdk/client-textract";
import { openTextract } from "../../functions/adapters/aws/textract.ts";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { openLocalOcr } from "../../functions/adapters/local/ocr/local-ocr.ts";
import { ocrEngineSuite } from "../contract/ocr.suite.ts";
import { startTextractStub } from "../support/textract-stub.ts";

const clock = systemClock();

ocrEngineSuite("Amazon Textract, played by tesseract.js", {
  clock,
  jobTimeoutSeconds: 300,
  async open() {
    const engine = openLocalOcr({ clock, jobTimeoutSeconds: 120, langs: ["eng"], size: 2, engine: "embedded" });
    const getObject = () => Promise.reject(new Error("No document is taken from a bucket here"));
    const stub = await startTextractStub({ engine, getObject });
    const client = new TextractClient({
      endpoint: stub.url,
      region: "eu-central-1",
      credentials: { accessKeyId: "test", secretAccessKey: "test" },
    });
    return Object.assign(openTextract({ client, clock, bucket: "documents", jobTimeoutSeconds: 300 }), {
      async close() {
        client.destroy();
        await stub.close();
        await engine.close();
      },
    });
  },
});
