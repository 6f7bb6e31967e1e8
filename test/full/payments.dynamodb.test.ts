import { describe } from "vitest";
import { paymentsSuite } from "../contract/payments.suite.ts";
import { hasDynoxide } from "../support/dynoxide.ts";
import { dynamoStore } from "../support/stores.ts";

describe.runIf(hasDynoxide())("on dynoxide", () => {
  paymentsSuite("DynamoDB", dynamoStore);
});
