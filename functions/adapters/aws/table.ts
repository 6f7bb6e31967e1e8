/** The DynamoDB table as data: the driver writes to it, the cloud app creates it, the tests create one like it. */

export const RECORDS_TABLE = {
  partitionKey: { name: "pk", type: "S" },
  sortKey: { name: "sk", type: "S" },
  /** Unix seconds. DynamoDB removes expired items within days, free of charge; until then the driver hides them. */
  timeToLiveAttribute: "ttl",
  billingMode: "PAY_PER_REQUEST",
} as const;
