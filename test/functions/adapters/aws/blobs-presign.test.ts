/** Presigned requests of the S3 driver, their signatures computed anew from "Signature Version 4: query parameters". */
import { createHash, createHmac } from "node:crypto";
import { S3Client, type S3ClientConfig } from "@aws-sdk/client-s3";
import { describe, expect, it } from "vitest";
import { openS3Blobs } from "../../../../functions/adapters/aws/blobs.ts";
import { AppError } from "../../../../functions/ports/errors.ts";
import { manualClock } from "../../../support/clock.ts";
import { clientOptions, Exchanges } from "./exchanges.ts";

const nothing = new Exchanges();
const OPTIONS = clientOptions(nothing);

function open(client: S3ClientConfig = {}, presignClient?: S3ClientConfig) {
  return openS3Blobs({
    client: new S3Client({ ...OPTIONS, ...client }),
    ...(presignClient === undefined ? {} : { presignClient: new S3Client({ ...OPTIONS, ...presignClient }) }),
    bucket: "sheaf-test",
    clock: manualClock(Date.UTC(2026, 0, 2, 3, 4, 5, 678)),
  });
}

const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();

/** The signature of an address, for a request with these values of its signed headers. */
function signatureOf(method: string, address: string, headers: Record<string, string>): string {
  const url = new URL(address);
  const query = [...url.searchParams]
    .filter(([name]) => name !== "X-Amz-Signature")
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join("&");
  const names = (url.searchParams.get("X-Amz-SignedHeaders") ?? "").split(";");
  const values = { host: url.host, ...headers };
  const lines = names.map((name) => `${name}:${values[name as keyof typeof values]}\n`).join("");
  const canonical = [method, url.pathname, query, lines, names.join(";"), "UNSIGNED-PAYLOAD"].join("\n");
  const time = url.searchParams.get("X-Amz-Date") ?? "";
  const scope = [time.slice(0, 8), "eu-central-1", "s3", "aws4_request"];
  const digest = createHash("sha256").update(canonical).digest("hex");
  const text = ["AWS4-HMAC-SHA256", time, scope.join("/"), digest].join("\n");
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${OPTIONS.credentials.secretAccessKey}`);
  return hmac(key, text).toString("hex");
}

const queryOf = (url: string): Record<string, string> => Object.fromEntries(new URL(url).searchParams);
const SIGNED_AT = {
  "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
  "X-Amz-Content-Sha256": "UNSIGNED-PAYLOAD",
  "X-Amz-Credential": "AKIDEXAMPLE/20260102/eu-central-1/s3/aws4_request",
  "X-Amz-Date": "20260102T030405Z",
  "X-Amz-Signature": expect.stringMatching(/^[0-9a-f]{64}$/),
};

describe("presignGet", () => {
  it("signs an attachment that no cache keeps", async () => {
    const { url, ...rest } = await open().presignGet("org/1/ä b+.pdf", { expiresInSeconds: 60, fileName: "März.pdf" });
    expect(rest).toEqual({ method: "GET", headers: {}, expiresAt: "2026-01-02T03:05:05.000Z" });
    expect(url.split("?")[0]).toBe("https://sheaf-test.s3.eu-central-1.amazonaws.com/org/1/%C3%A4%20b%2B.pdf");
    expect(queryOf(url)).toEqual({
      ...SIGNED_AT,
      "X-Amz-Expires": "60",
      "X-Amz-SignedHeaders": "host",
      "response-cache-control": "private, no-store",
      "response-content-disposition": "attachment; filename=\"M_rz.pdf\"; filename*=UTF-8''M%C3%A4rz.pdf",
      "x-id": "GetObject",
    });
    expect(queryOf(url)["X-Amz-Signature"]).toBe(signatureOf("GET", url, {}));
  });
});

describe("presignPut", () => {
  it("signs length and type, and no checksum of the missing body", async () => {
    const put = { expiresInSeconds: 900, contentType: "image/png", size: 12_345 };
    const { url, ...rest } = await open().presignPut("a/b", put);
    expect(rest).toEqual({
      method: "PUT",
      headers: { "content-type": "image/png" },
      expiresAt: "2026-01-02T03:19:05.000Z",
    });
    expect(queryOf(url)).toEqual({
      ...SIGNED_AT,
      "X-Amz-Expires": "900",
      "X-Amz-SignedHeaders": "content-length;content-type;host",
      "x-id": "PutObject",
    });
    const signature = queryOf(url)["X-Amz-Signature"];
    expect(signature).toBe(signatureOf("PUT", url, { "content-length": "12345", "content-type": "image/png" }));
    expect(signature).not.toBe(signatureOf("PUT", url, { "content-length": "12346", "content-type": "image/png" }));
  });

  it("signs a length of 0", async () => {
    const { url } = await open().presignPut("a", { expiresInSeconds: 1, contentType: "text/plain", size: 0 });
    const headers = { "content-length": "0", "content-type": "text/plain" };
    expect(queryOf(url)["X-Amz-Signature"]).toBe(signatureOf("PUT", url, headers));
  });
});

describe("a presigned address", () => {
  it("is the presigning client's, with checksums or without", async () => {
    const outside: S3ClientConfig = {
      endpoint: "https://files.example.org:8443",
      forcePathStyle: true,
      requestChecksumCalculation: "WHEN_SUPPORTED",
    };
    const blobs = open({ endpoint: "http://10.0.0.1:4566" }, outside);
    const { url } = await blobs.presignPut("a/b", { expiresInSeconds: 1, contentType: "text/plain", size: 4 });
    expect(url).toMatch(/^https:\/\/files\.example\.org:8443\/sheaf-test\/a\/b\?/);
    expect(url).not.toMatch(/checksum/i);
    const headers = { "content-length": "4", "content-type": "text/plain" };
    expect(queryOf(url)["X-Amz-Signature"]).toBe(signatureOf("PUT", url, headers));
  });

  it("carries the session token of temporary credentials", async () => {
    const credentials = { ...OPTIONS.credentials, sessionToken: "token/of+a=role" };
    const { url } = await open({ credentials }).presignGet("a", { expiresInSeconds: 1 });
    expect(queryOf(url)["X-Amz-Security-Token"]).toBe("token/of+a=role");
    expect(queryOf(url)["X-Amz-Signature"]).toBe(signatureOf("GET", url, {}));
  });

  it("is an internal error without credentials", async () => {
    const credentials = async () => Promise.reject(new Error("no credentials in this place"));
    const failure = await open({ credentials })
      .presignGet("a", { expiresInSeconds: 1 })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(AppError);
    expect(failure).toMatchObject({ kind: "InternalServerError" });
  });
});
