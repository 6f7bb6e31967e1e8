/** Deploys once for all test files, which find the API by SHEAF_E2E_URL, and removes everything afterwards. */
import { availableParallelism, loadavg } from "node:os";
import { KEY_SETS } from "../support/key-sets.ts";
import { fixesIn } from "../support/ministack.ts";
import { FIXES } from "../support/ministack-launcher.ts";
import { deploy } from "./deploy.ts";
import { DIFFERENCES } from "./differences.ts";

/** The usual duration on a quiet machine with two cores. */
const USUAL_SECONDS = 300;
/**
 * A longer run means that the deployment or a test has become slow, unless the load shows that others use the machine.
 */
const MAX_SECONDS = 2 * USUAL_SECONDS;
/** Processes per core that run or wait because of this run alone. */
const OWN_LOAD_PER_CORE = 2.5;

/** The factor by which other load slows everything down; 1 on a quiet machine, and when the load is unknown. */
const loadFactor = (): number =>
  Math.max(1, Math.max(...loadavg().slice(1)) / (availableParallelism() * OWN_LOAD_PER_CORE));

/** @throws Error for a fix that the emulator no longer needs */
function reportFixes(logFile: string): void {
  console.log("The emulator is mended where it does otherwise than AWS:");
  for (const { what, aws, emulator } of Object.values(FIXES)) {
    console.log(`  ${what}: AWS ${aws}; the emulator, unmended, ${emulator}`);
  }
  const held = fixesIn(logFile);
  const gone = Object.keys(FIXES).filter((name) => held[name] !== "needed");
  if (gone.length > 0) throw new Error(`The emulator does not need these mends any more: ${gone.join(", ")}`);
}

/** @throws Error for a run of more than twice the usual duration */
function checkDuration(start: number): void {
  const seconds = Math.round((performance.now() - start) / 1000);
  console.log(
    `Deployed and tested in ${seconds} s; on a quiet machine of two cores it is to take ${USUAL_SECONDS} s at most`,
  );
  const most = Math.round(MAX_SECONDS * loadFactor());
  if (seconds <= most) return;
  const load = loadavg().map((average) => average.toFixed(1));
  throw new Error(
    `test:cloud took ${seconds} s, over ${most} s: twice the ${USUAL_SECONDS} s it has, by the machine's load (${load.join(", ")}). ` +
      "Something in it has become slow",
  );
}

export default async function setup(): Promise<() => Promise<void>> {
  const start = performance.now();
  const deployment = await deploy(KEY_SETS);
  if (deployment === undefined)
    throw new Error("The emulator was here when the tests were chosen, and is not any more");
  const parts = Object.entries(deployment.took).map(([part, seconds]) => `${part} ${seconds} s`);
  console.log(`Deployed to the emulator: ${parts.join(", ")}`);
  process.env.SHEAF_E2E_URL = deployment.url;
  process.env.SHEAF_E2E_EMULATOR_LOG = deployment.emulator.logFile;
  const { clientOptions, environment } = deployment.emulator;
  process.env.SHEAF_E2E_AWS = JSON.stringify({ clientOptions, environment, outputs: deployment.outputs });
  // The tests' own processes, which start later, send files to addresses of the emulator.
  process.env.NODE_EXTRA_CA_CERTS = environment.NODE_EXTRA_CA_CERTS;
  process.env.SHEAF_E2E_KEYS = JSON.stringify(deployment.keys);
  return async () => {
    console.log("The emulator is held to what it does otherwise than AWS:");
    for (const { what, aws, emulator } of Object.values(DIFFERENCES)) {
      console.log(`  ${what}: with AWS, ${aws.does}; with the emulator, ${emulator.does}`);
    }
    const { logFile } = deployment.emulator;
    try {
      reportFixes(logFile);
    } finally {
      await deployment.close();
    }
    checkDuration(start);
  };
}
