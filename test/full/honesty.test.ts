/** Whatever a model answers: more schemas than `npm test` has time for. */
import { honestySuite } from "../functions/core/extraction/model/honesty.suite.ts";

honestySuite(1_000);
