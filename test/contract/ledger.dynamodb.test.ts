import { describe } from "vitest";
import { hasDynoxide } from "../support/dynoxide.ts";
import { dynamoStore } from "../support/stores.ts";
import { ledgerSuite } from "./ledger.suite.ts";

const sizes = { halves: 1, schedules: 3, debits: 100, grants: 20, transactions: 60, workers: 20 };

describe.runIf(hasDynoxide())("on dynoxide", () => {
  ledgerSuite("DynamoDB", dynamoStore, sizes);
});
