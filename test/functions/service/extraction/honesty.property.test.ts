import { honestySuite } from "./honesty.suite.ts";

// test/full runs many more schemas.
honestySuite(150);
