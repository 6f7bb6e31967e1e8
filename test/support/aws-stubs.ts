/**
 * Stubs in memory of the requests to S3, Secrets Manager, Step Functions, SQS and Lambda that functions send for a
 * document, by the services' published protocols. The drivers have suites of their own.
 */
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

export interface AwsStubs {
  /** Texts by id; a function reads one at its first use, and every five minutes. */
  secrets: Record<string, string>;
  url: string;
  /** The bodies of requests by target, such as `StartExecution`. */
  asked: { target: string; body: string }[];
  objects: Map<string, Buffer>;
  close(): Promise<void>;
}

interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** One page of ListObjectsV2. */
function listS3(objects: AwsStubs["objects"], bucket: string, prefix: string): Answer {
  const keys = [...objects.keys()].filter((path) => path.startsWith(`${bucket}/${prefix}`));
  const contents = keys.map((path) => `<Contents><Key>${path.slice(bucket.length + 1)}</Key></Contents>`);
  const body = `<ListBucketResult><IsTruncated>false</IsTruncated>${contents.join("")}</ListBucketResult>`;
  return { status: 200, headers: { "Content-Type": "application/xml" }, body };
}

/** Objects by path, without multipart uploads. */
function answerS3(
  objects: AwsStubs["objects"],
  { method = "", headers: { range } }: IncomingMessage,
  path: string,
  body: Buffer,
): Answer {
  const headers = { ETag: '"0"', "Last-Modified": new Date(0).toUTCString() };
  if (method === "PUT") {
    objects.set(path, body);
    return { status: 200, headers };
  }
  if (method === "DELETE") {
    objects.delete(path);
    return { status: 204 };
  }
  const found = objects.get(path);
  if (found === undefined)
    return { status: 404, body: method === "HEAD" ? "" : "<Error><Code>NoSuchKey</Code></Error>" };
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range ?? "") ?? [];
  if (from !== undefined && method === "GET") {
    const part = found.subarray(Number(from), to === "" ? found.length : Number(to) + 1);
    const about = `bytes ${from}-${Number(from) + part.length - 1}/${found.length}`;
    return { status: 206, headers: { ...headers, "Content-Range": about }, body: part };
  }
  const length = { "Content-Length": String(found.length), "Content-Type": "application/json" };
  return { status: 200, headers: { ...headers, ...length }, body: method === "HEAD" ? "" : found };
}

/**
 * @param secrets texts by id
 * @param invoke answers the invocation of any function
 */
export async function startAwsStubs(
  secrets: Record<string, string>,
  invoke: (name: string, payload: unknown) => Promise<unknown>,
): Promise<AwsStubs> {
  const asked: AwsStubs["asked"] = [];
  const objects: AwsStubs["objects"] = new Map();
  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const body = await bodyOf(request);
    const { pathname: path, searchParams } = new URL(request.url ?? "/", "http://stub");
    const target = String(request.headers["x-amz-target"] ?? "").replace(/^.*\./, "");
    const text = target === "" ? "" : body.toString("utf8");
    if (target !== "") asked.push({ target, body: text });
    if (target === "GetSecretValue") {
      const { SecretId } = JSON.parse(text) as { SecretId: string };
      return { status: 200, body: JSON.stringify({ Name: SecretId, SecretString: secrets[SecretId] }) };
    }
    if (target === "CreateStateMachine" || target === "StartExecution") {
      const arn = "arn:aws:states:eu-central-1:000000000000:stateMachine:made";
      return { status: 200, body: JSON.stringify({ stateMachineArn: arn, executionArn: arn, startDate: 0 }) };
    }
    if (target === "SendMessage") {
      const { MessageBody } = JSON.parse(text) as { MessageBody: string };
      const MD5OfMessageBody = createHash("md5").update(MessageBody).digest("hex");
      return { status: 200, body: JSON.stringify({ MessageId: "sent", MD5OfMessageBody }) };
    }
    if (/^SendTask(Success|Failure|Heartbeat)$/.test(target)) return { status: 200, body: "{}" };
    if (target === "ChangeMessageVisibility") return { status: 200, body: "{}" };
    const [, invoked] = /^\/2015-03-31\/functions\/([^/]+)\//.exec(path) ?? [];
    if (invoked !== undefined) {
      return { status: 200, body: JSON.stringify(await invoke(invoked, JSON.parse(body.toString("utf8")))) };
    }
    if (target !== "") return { status: 400, body: JSON.stringify({ __type: "UnknownOperationException" }) };
    const prefix = searchParams.get("prefix");
    if (searchParams.has("list-type") && prefix !== null) return listS3(objects, path.replace(/\/$/, ""), prefix);
    return answerS3(objects, request, path, body);
  };
  const server = createServer((request, response) => {
    answer(request).then(
      ({ status, headers = {}, body = "" }) => response.writeHead(status, headers).end(body),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    secrets,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    objects,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
