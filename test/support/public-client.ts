/** Requests as the public clients write them, on the plain routes or below /compat. */
import { expect } from "vitest";
import { expectRecord } from "./client-records.ts";
import type { TestService } from "./service.ts";
import { REMOTE_URL } from "./target.ts";

/** A deployment's functions start cold, each of them. */
const PATIENCE_MS = REMOTE_URL === undefined ? 25_000 : 100_000;
/** Between two polls: a deployment's may be a process each. */
const PAUSE_MS = REMOTE_URL === undefined ? 50 : 300;

export const CLIENT_HEADERS = {
  accept: "*/*",
  "accept-encoding": "gzip, deflate",
  "user-agent": "python-httpx/0.28.1",
};
export const PREFIXES = [
  ["on the plain routes", ""],
  ["below /compat", "/compat"],
] as const;

/** A part as the client writes it: its header lines, and its bytes. */
export type Part = [header: string, content: Uint8Array | string];

export function multipart(parts: readonly Part[]): { body: Buffer; type: string } {
  const boundary = "2f7b4a1c9d8e6f50";
  const chunks = parts.flatMap(([header, content]) => [
    Buffer.from(`--${boundary}\r\n${header}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from("\r\n"),
  ]);
  const body = Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]);
  return { body, type: `multipart/form-data; boundary=${boundary}` };
}

/** A file of a part. */
export const filePart = (name: string, fileName: string, content: Uint8Array | string, type: string): Part => [
  `Content-Disposition: form-data; name="${name}"; filename="${fileName}"\r\nContent-Type: ${type}`,
  content,
];
/** A text of a part; `type` as the client states it, if at all. */
export const fieldPart = (name: string, content: Uint8Array | string, type?: string): Part => [
  `Content-Disposition: form-data; name="${name}"${type === undefined ? "" : `\r\nContent-Type: ${type}`}`,
  content,
];
export const documentPart = (content: Uint8Array | string, type = "application/pdf"): Part =>
  filePart("document", "omitted", content, type);

export interface ClientAnswer {
  status: number;
  type: string;
  bytes: Buffer;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any member of an answer
  json(): any;
}

/** A client of a service, for the routes below a prefix. */
export function publicClient(target: () => TestService, prefix: string) {
  async function send(method: string, path: string, body?: RequestInit["body"], type?: string): Promise<ClientAnswer> {
    const { url, api } = target();
    const response = await fetch(url + prefix + path, {
      method,
      redirect: "manual",
      headers: {
        ...CLIENT_HEADERS,
        authorization: `Bearer ${api.key}`,
        ...(type === undefined ? {} : { "content-type": type }),
      },
      ...(body === undefined ? {} : { body }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const text = bytes.toString("utf8");
    return {
      ...{ status: response.status, type: response.headers.get("content-type") ?? "", bytes, text },
      json: () => JSON.parse(text),
    };
  }
  const get = (path: string) => send("GET", path);
  const post = (path: string, json: string) => send("POST", path, json, "application/json");
  const postParts = (path: string, ...parts: Part[]) => {
    const { body, type } = multipart(parts);
    return send("POST", path, body, type);
  };

  /** Uploads a document. @returns its guid */
  async function uploaded(part: Part): Promise<string> {
    const answer = await postParts("/document/upload", part);
    expect(answer.status, answer.text).toBe(prefix === "" ? 201 : 200);
    expectRecord("upload", answer.json());
    return answer.json().guid;
  }

  /** Polls as the clients do: GET /job/status until it says what they wait for. */
  async function waited(guid: string): Promise<Record<string, unknown>> {
    for (const end = performance.now() + PATIENCE_MS; performance.now() < end; ) {
      const answer = await get(`/job/status/${guid}`);
      expect(answer.status).toBe(200);
      const job = answer.json();
      expectRecord("job", job);
      if (job.progress !== undefined) expectRecord("progress", job.progress);
      if (["COMPLETED", "ERROR", "FAILED", "PARTIAL", "CANCELLED"].includes(job.status)) return job;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    throw new Error(`${guid} did not end`);
  }

  /** Repeats a request until its answer is as wanted. */
  async function until(ask: () => Promise<ClientAnswer>, isReady: (answer: ClientAnswer) => boolean) {
    for (const end = performance.now() + PATIENCE_MS; performance.now() < end; ) {
      const answer = await ask();
      if (isReady(answer)) return answer;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    throw new Error("The answer did not come");
  }

  return { compat: prefix !== "", send, get, post, postParts, uploaded, waited, until };
}
