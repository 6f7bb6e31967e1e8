/** The one DynamoDB table, as data: the driver writes to it, the cloud app makes it, the tests make one like it. */

export const RECORDS_TABLE = {
  partitionKey: { name: "pk", type: "S" },
  sortKey: { name: "sk", type: "S" },
  /** Unix seconds. DynamoDB removes what has expired within days, free of charge; until then the driver hides it. */
  timeToLiveAttribute: "ttl",
  billingMode: "PAY_PER_REQUEST",
} as const;
