/** The driver with a client that answers as programmed. */
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { mockClient } from "aws-sdk-client-mock";
import { expect } from "vitest";
import { openDynamoRecords } from "../../../../functions/adapters/aws/records.ts";
import { AppError } from "../../../../functions/ports/errors.ts";

/** Seconds. */
export const NOW = 1_700_000_000;
export const key = { partition: "p", sort: "s" };

/** @param random source of the random pauses between attempts */
export function mockedRecords(random = () => 0.5) {
  const slept: number[] = [];
  const client = new DynamoDBClient({ region: "eu-central-1" });
  const records = openDynamoRecords({
    client,
    table: "records",
    clock: {
      now: () => NOW * 1000,
      sleep: async (milliseconds) => {
        slept.push(milliseconds);
      },
    },
    random,
  });
  // This client, not its class: other files of the process have real ones.
  return { mock: mockClient(client), records, slept };
}

export const item = (sort: string, members: Record<string, unknown> = {}) => ({
  pk: { S: "p" },
  sk: { S: sort },
  value: { S: '{"v":1}' },
  version: { N: "1" },
  mark: { S: "m" },
  ...members,
});
export const told = { message: "secret of the service", $metadata: { httpStatusCode: 400 } };

/** @throws Error when it fails otherwise, or not at all */
export async function errorOf(work: Promise<unknown>): Promise<AppError> {
  const error: unknown = await work.then(
    () => "no error",
    (reason: unknown) => reason,
  );
  if (!(error instanceof AppError)) throw new Error("Not an AppError", { cause: error });
  expect(error.message).not.toMatch(/secret|Exception|10\.0|Dynamo/);
  return error;
}
