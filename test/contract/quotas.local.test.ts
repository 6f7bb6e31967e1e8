import { sqliteStore } from "../support/stores.ts";
import { quotasSuite } from "./quotas.suite.ts";

quotasSuite("SQLite", sqliteStore);
