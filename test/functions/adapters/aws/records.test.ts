/** Answers that DynamoDB gives only when loaded, broken or far away, from a client that answers as programmed. */
import {
  ConditionalCheckFailedException,
  DynamoDBServiceException,
  GetItemCommand,
  InternalServerError,
  ProvisionedThroughputExceededException,
  QueryCommand,
  RequestLimitExceeded,
  ResourceNotFoundException,
  ThrottlingException,
  TransactionConflictException,
  TransactionInProgressException,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { beforeEach, describe, expect, test } from "vitest";
import { BadRequest, ServiceUnavailable, StoreLimitExceeded } from "../../../../functions/ports/errors.ts";
import { errorOf, item, key, mockedRecords, NOW, told } from "./records.support.ts";

let random = () => 0.5;
const { mock, records, slept } = mockedRecords(() => random());
beforeEach(() => {
  mock.reset();
  slept.length = 0;
  random = () => 0.5;
});

const fault = (name: string, httpStatusCode: number) =>
  new DynamoDBServiceException({ ...told, name, $fault: "client", $metadata: { httpStatusCode } });
const systemError = (code: string) => Object.assign(new Error(`connect ${code} 10.0.0.1`), { code });

const PASSING: Record<string, Error> = {
  throttling: new ThrottlingException(told),
  "a partition's throughput": new ProvisionedThroughputExceededException(told),
  "the account's throughput": new RequestLimitExceeded(told),
  "its own failure": new InternalServerError({ ...told, $metadata: { httpStatusCode: 500 } }),
  "an unnamed 503": fault("ServiceUnavailable", 503),
  "a transaction on the record": new TransactionConflictException(told),
  "the same transaction still running": new TransactionInProgressException(told),
  "a refused connection": systemError("ECONNREFUSED"),
  "a broken connection": systemError("ECONNRESET"),
  "an answer that does not come": Object.assign(new Error("no answer"), { name: "TimeoutError" }),
};

describe("a transient error of DynamoDB", () => {
  for (const [what, error] of Object.entries(PASSING)) {
    test(`is retried: ${what}`, async () => {
      mock
        .on(GetItemCommand)
        .rejectsOnce(error)
        .rejectsOnce(error)
        .resolves({ Item: item("s") });
      expect(await records.get(key)).toEqual({ key, version: 1, value: { v: 1 } });
      expect(mock.commandCalls(GetItemCommand)).toHaveLength(3);
      expect(slept).toEqual([12.5, 25]);
    });
  }

  test("is retried after random pauses below a bound that doubles up to 1.5 s; after twelve of them it is 503", async () => {
    const drawn = [0, 0.999, 0.25, 0.5, 0.75, 1 / 3, 0.1, 0.9, 0.6, 0.2, 0.7, 0.4];
    random = () => drawn[slept.length] ?? 0;
    mock.on(UpdateItemCommand).rejects(new ThrottlingException(told));
    const error = await errorOf(records.put(key, { v: 1 }));
    expect(error).toBeInstanceOf(ServiceUnavailable);
    expect(error).toMatchObject({ kind: "ServiceUnavailable", retryable: true, retryAfter: 1 });
    const bounds = [25, 50, 100, 200, 400, 800, 1500, 1500, 1500, 1500, 1500, 1500];
    expect(slept).toEqual(bounds.map((bound, at) => bound * (drawn[at] ?? 0)));
    expect(mock.commandCalls(UpdateItemCommand)).toHaveLength(13);
  });

  test("is 503 for every kind of call in the end", async () => {
    mock.onAnyCommand().rejects(new ThrottlingException(told));
    const calls = [
      records.get(key),
      records.put(key, { v: 1 }),
      records.delete(key),
      records.delete(key, { ifPresent: true }),
      records.add(key, { n: 1 }),
      records.add(key, { n: 0.5 }),
      records.query({ partition: "p" }),
      records.transact([{ kind: "delete", key }]),
    ];
    for (const work of calls) expect(await errorOf(work)).toBeInstanceOf(ServiceUnavailable);
  });

  test("is 503 for an increment that loses every race", async () => {
    let mark = 0;
    const other = () => new ConditionalCheckFailedException({ ...told, Item: item("s", { mark: { S: `${mark++}` } }) });
    mock.on(GetItemCommand).resolves({ Item: item("s") });
    mock.on(UpdateItemCommand).callsFake(() => Promise.reject(other()));
    expect(await errorOf(records.add(key, { n: 0.5 }))).toBeInstanceOf(ServiceUnavailable);
    expect(mark, "three at once, a pause, and the record is read anew").toBe(39);
    expect(mock.commandCalls(GetItemCommand)).toHaveLength(13);
    expect(slept).toHaveLength(12);
  });
});

describe("a permanent error of DynamoDB", () => {
  test("is a limit of the store for an invalid request, which is not repeated", async () => {
    mock.onAnyCommand().rejects(fault("ValidationException", 400));
    const error = await errorOf(records.put(key, { v: 1 }));
    expect(error).toBeInstanceOf(StoreLimitExceeded);
    expect(error.cause, "the log shows why").toMatchObject({ name: "ValidationException" });
    expect(mock.calls()).toHaveLength(1);
  });

  test.each([
    ["a missing table", new ResourceNotFoundException(told)],
    ["a missing permission", fault("AccessDeniedException", 400)],
    ["a wrong key", fault("UnrecognizedClientException", 400)],
    ["no credentials", Object.assign(new Error("secret"), { name: "CredentialsProviderError" })],
    ["something that is no error", "secret"],
  ])("is a plain 500 for %s, and is not retried", async (_, error) => {
    mock.onAnyCommand().callsFake(() => Promise.reject(error));
    expect(await errorOf(records.get(key))).toMatchObject({ kind: "InternalServerError", retryable: false });
    expect(mock.calls()).toHaveLength(1);
    expect(slept).toEqual([]);
  });
});

describe("reads from DynamoDB", () => {
  test("are all consistent", async () => {
    mock.on(GetItemCommand).resolves({ Item: item("s") });
    mock.on(QueryCommand).resolves({ Items: [] });
    mock.on(UpdateItemCommand).resolves({});
    await records.get(key);
    await records.query({ partition: "p" });
    await records.add(key, { n: 0.5 });
    const reads = mock.calls().filter(({ args }) => !(args[0] instanceof UpdateItemCommand));
    expect(reads).toHaveLength(3);
    for (const { args } of reads) expect(args[0].input).toMatchObject({ ConsistentRead: true });
  });

  test("fill a page from as many requests as it takes", async () => {
    const at = (sort: string) => ({ pk: { S: "p" }, sk: { S: sort } });
    const expired = item("b", { ttl: { N: String(NOW) } });
    mock
      .on(QueryCommand)
      .resolvesOnce({ Items: [], LastEvaluatedKey: at("a") })
      .resolvesOnce({ Items: [expired, item("c")], LastEvaluatedKey: at("c") })
      .rejectsOnce(new ThrottlingException(told))
      .resolvesOnce({ Items: [item("d"), item("e"), item("f")], LastEvaluatedKey: at("f") });
    const page = await records.query({ partition: "p", limit: 2 });
    expect(page.items.map(({ key: { sort } }) => sort)).toEqual(["c", "d"]);
    const inputs = mock.commandCalls(QueryCommand).map((call) => call.args[0].input);
    expect(inputs.map(({ ExclusiveStartKey }) => ExclusiveStartKey)).toEqual([undefined, at("a"), at("c"), at("c")]);
    expect(inputs[0]).toMatchObject({ Limit: 3, ScanIndexForward: true });
    expect(inputs[0]?.FilterExpression, "DynamoDB does not send what has expired").toContain("attribute_not_exists");

    mock.reset();
    mock.on(QueryCommand).resolves({ Items: [] });
    await records.query({ partition: "p", limit: 2, cursor: page.cursor ?? "" });
    expect(mock.commandCalls(QueryCommand)[0]?.args[0].input.ExclusiveStartKey).toEqual(at("d"));
  });

  test("send no request for bounds that exclude everything", async () => {
    expect(await records.query({ partition: "p", from: "b", to: "a" })).toEqual({ items: [] });
    expect(await records.query({ partition: "p", to: "" })).toEqual({ items: [] });
    expect(mock.calls()).toHaveLength(0);
  });

  test("refuse a cursor that was tampered with to leave the query's bounds", async () => {
    mock.on(QueryCommand).resolves({ Items: [item("b1"), item("b2")] });
    for (const bounds of [{ prefix: "b" }, { from: "b", to: "c" }, { from: "b", descending: true }]) {
      const query = { partition: "p", limit: 1, ...bounds };
      const sealed = Buffer.from((await records.query(query)).cursor ?? "", "base64url");
      for (const position of ["a", ...("from" in bounds && !("to" in bounds) ? [] : ["d"]), `b${"x".repeat(1024)}`]) {
        const cursor = Buffer.concat([sealed.subarray(0, 16), Buffer.from(position)]).toString("base64url");
        expect(await errorOf(records.query({ ...query, cursor }))).toBeInstanceOf(BadRequest);
      }
    }
  });
});
