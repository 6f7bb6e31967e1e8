import { describe } from "vitest";
import { hasDynoxide } from "../support/dynoxide.ts";
import { dynamoStore } from "../support/stores.ts";
import { quotasSuite } from "./quotas.suite.ts";

describe.runIf(hasDynoxide())("on dynoxide", () => {
  quotasSuite("DynamoDB", dynamoStore);
});
