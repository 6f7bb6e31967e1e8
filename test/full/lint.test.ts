/** Machines of random pipelines against all judges: more than `npm test` has time for. */
import { randomMachinesSuite } from "../statemachines/pipeline/lint.suite.ts";

randomMachinesSuite({ quick: 1_000, validated: 60 });
