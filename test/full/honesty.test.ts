/** The honesty suite with more schemas than `npm test` has time for. */
import { honestySuite } from "../functions/service/extraction/honesty.suite.ts";

honestySuite(1_000);
