import { honestySuite } from "./honesty.suite.ts";

// More of them are in test/full.
honestySuite(150);
