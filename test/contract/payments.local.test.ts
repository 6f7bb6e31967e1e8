import { sqliteStore } from "../support/stores.ts";
import { paymentsSuite } from "./payments.suite.ts";

paymentsSuite("SQLite", sqliteStore);
