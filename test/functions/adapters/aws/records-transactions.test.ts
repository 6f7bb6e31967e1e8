/** Cancelled DynamoDB transactions, from a client that answers as programmed. */
import {
  TransactionCanceledException,
  TransactionInProgressException,
  TransactWriteItemsCommand,
} from "@aws-sdk/client-dynamodb";
import { beforeEach, describe, expect, test } from "vitest";
import { ConditionFailed, ServiceUnavailable, StoreLimitExceeded } from "../../../../functions/ports/errors.ts";
import type { RecordOperation } from "../../../../functions/ports/records.ts";
import { errorOf, item, key, mockedRecords, NOW, told } from "./records.support.ts";

const { mock, records, slept } = mockedRecords();
beforeEach(() => {
  mock.reset();
  slept.length = 0;
});

const canceled = (...codes: string[]) =>
  new TransactionCanceledException({ ...told, CancellationReasons: codes.map((Code) => ({ Code })) });

describe("Records.transact on DynamoDB", () => {
  const operations: RecordOperation[] = ["a", "b", "c"].map((sort) => ({
    kind: "put",
    key: { partition: "p", sort },
    value: { v: 1 },
    condition: { ifAbsent: true },
  }));
  const requests = () => mock.commandCalls(TransactWriteItemsCommand).map((call) => call.args[0].input);

  test("retries a conflict with the identical request", async () => {
    mock
      .on(TransactWriteItemsCommand)
      .rejectsOnce(canceled("None", "TransactionConflict", "None"))
      .rejectsOnce(canceled("ThrottlingError", "None", "None"))
      .rejectsOnce(canceled("None", "None", "ProvisionedThroughputExceeded"))
      .rejectsOnce(new TransactionInProgressException(told))
      .resolves({});
    await records.transact(operations);
    expect(requests()).toHaveLength(5);
    expect(slept).toEqual([12.5, 25, 50, 100]);
    for (const request of requests()) expect(request).toEqual(requests()[0]);
    expect(requests()[0]?.ClientRequestToken).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("fails with 503 when a conflict stays", async () => {
    mock.on(TransactWriteItemsCommand).rejects(canceled("TransactionConflict", "None", "None"));
    expect(await errorOf(records.transact(operations))).toBeInstanceOf(ServiceUnavailable);
    expect(slept).toHaveLength(12);
  });

  test("names the failed positions; while one is a conflict, the others are not final", async () => {
    mock
      .on(TransactWriteItemsCommand)
      .rejectsOnce(canceled("ConditionalCheckFailed", "TransactionConflict", "None"))
      .rejectsOnce(canceled("ConditionalCheckFailed", "None", "ConditionalCheckFailed"));
    const error = await errorOf(records.transact(operations));
    expect(error).toBeInstanceOf(ConditionFailed);
    expect(error).toMatchObject({ failed: [0, 2] });
  });

  test.each([
    canceled("None", "ValidationError", "ConditionalCheckFailed"),
    canceled("ItemCollectionSizeLimitExceeded", "None", "None"),
    new TransactionCanceledException(told),
  ])("reports a cancellation for another reason as a limit of the store", async (error) => {
    mock.on(TransactWriteItemsCommand).rejects(error);
    expect(await errorOf(records.transact(operations))).toBeInstanceOf(StoreLimitExceeded);
    expect(requests()).toHaveLength(1);
  });

  test("puts its token last in the same request, for 24 hours; a used token is success", async () => {
    mock
      .on(TransactWriteItemsCommand)
      .rejectsOnce(canceled("ConditionalCheckFailed", "None", "None", "ConditionalCheckFailed"));
    await records.transact(operations, { token: "t" });
    const items = requests()[0]?.TransactItems ?? [];
    expect(items).toHaveLength(4);
    const { Key, ExpressionAttributeValues = {} } = items[3]?.Update ?? {};
    expect(Key).toEqual({ pk: { S: "sys/tokens" }, sk: { S: "t" } });
    expect(Object.values(ExpressionAttributeValues)).toContainEqual({ N: String(NOW + 86_400) });
  });

  test("repeats an add that met a changed record, with a new client token", async () => {
    const counter = item("n", { value: { S: '{"v":1,"n":4}' } });
    mock
      .on(TransactWriteItemsCommand)
      .rejectsOnce(
        new TransactionCanceledException({
          ...told,
          CancellationReasons: [{ Code: "None" }, { Code: "ConditionalCheckFailed", Item: counter }],
        }),
      )
      .resolves({});
    const add: RecordOperation = { kind: "add", key: { partition: "p", sort: "n" }, amounts: { n: 1 } };
    await records.transact([{ kind: "put", key, value: { v: 1 } }, add]);
    const [first, second] = requests();
    expect(second?.ClientRequestToken).not.toBe(first?.ClientRequestToken);
    const written = second?.TransactItems?.[1]?.Update?.ExpressionAttributeValues ?? {};
    expect(Object.values(written)).toContainEqual({ S: '{"v":1,"n":5}' });
    expect(slept).toEqual([]);
  });

  test("sends no request for no operations", async () => {
    await records.transact([]);
    expect(mock.calls()).toHaveLength(0);
  });
});
