/** The limit of a case under concurrency, on both drivers of records. */
import { describe } from "vitest";
import { casePlacesSuite } from "../functions/service/cases/case-places.suite.ts";
import { hasDynoxide } from "../support/dynoxide.ts";
import { dynamoStore, sqliteStore } from "../support/stores.ts";

casePlacesSuite("SQLite", sqliteStore);
describe.runIf(hasDynoxide())("with DynamoDB", () => casePlacesSuite("DynamoDB", dynamoStore));
