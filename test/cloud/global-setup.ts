/** Deploys once for all files of tests, which find the API by SHEAF_E2E_URL, and takes everything away afterwards. */
import { availableParallelism, loadavg } from "node:os";
import { KEY_SETS } from "../support/key-sets.ts";
import { mendsIn } from "../support/ministack.ts";
import { MENDS } from "../support/ministack-launcher.ts";
import { deploy } from "./deploy.ts";
import { DIFFERENCES } from "./differences.ts";

/** In which it passes on a quiet machine of two cores. */
const SECONDS = 300;
/** Behind twice that, the deployment or a test has become slow; unless others take the machine, as its load tells. */
const MOST_SECONDS = 2 * SECONDS;
/** Processes on each core that wait for it or have it, of this run alone. */
const OWN_LOAD = 2.5;

/** How much longer everything takes because of others' work; 1 on a quiet machine, and where the load is not known. */
const slowness = (): number => Math.max(1, Math.max(...loadavg().slice(1)) / (availableParallelism() * OWN_LOAD));

/** @throws Error for a mend that the emulator has come to do without */
function tellOfMends(logFile: string): void {
  console.log("The emulator is mended where it does otherwise than AWS:");
  for (const { what, aws, emulator } of Object.values(MENDS)) {
    console.log(`  ${what}: AWS ${aws}; the emulator, unmended, ${emulator}`);
  }
  const held = mendsIn(logFile);
  const gone = Object.keys(MENDS).filter((name) => held[name] !== "needed");
  if (gone.length > 0) throw new Error(`The emulator does not need these mends any more: ${gone.join(", ")}`);
}

/** @throws Error when it took more than twice its time */
function tellOfTime(start: number): void {
  const seconds = Math.round((performance.now() - start) / 1000);
  console.log(
    `Deployed and tested in ${seconds} s; on a quiet machine of two cores it is to take ${SECONDS} s at most`,
  );
  const most = Math.round(MOST_SECONDS * slowness());
  if (seconds <= most) return;
  const load = loadavg().map((average) => average.toFixed(1));
  throw new Error(
    `test:cloud took ${seconds} s, over ${most} s: twice the ${SECONDS} s it has, by the machine's load (${load.join(", ")}). ` +
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
  // The tests' own processes, which are yet to start, send files to addresses of the emulator.
  process.env.NODE_EXTRA_CA_CERTS = environment.NODE_EXTRA_CA_CERTS;
  process.env.SHEAF_E2E_KEYS = JSON.stringify(deployment.keys);
  return async () => {
    console.log("The emulator is held to what it does otherwise than AWS:");
    for (const { what, aws, emulator } of Object.values(DIFFERENCES)) {
      console.log(`  ${what}: with AWS, ${aws.does}; with the emulator, ${emulator.does}`);
    }
    const { logFile } = deployment.emulator;
    try {
      tellOfMends(logFile);
    } finally {
      await deployment.close();
    }
    tellOfTime(start);
  };
}
