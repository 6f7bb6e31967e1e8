import { sqliteStore } from "../support/stores.ts";
import { ledgerSuite } from "./ledger.suite.ts";

const sizes = { halves: 5, schedules: 60, debits: 300, grants: 40, transactions: 200, workers: 20 };

ledgerSuite("SQLite", sqliteStore, sizes);
