/** Deploys once for all files of tests, which find the API by SHEAF_E2E_URL, and takes everything away afterwards. */
import { KEY_SETS } from "../support/key-sets.ts";
import { deploy } from "./deploy.ts";
import { DIFFERENCES } from "./differences.ts";

export default async function setup(): Promise<() => Promise<void>> {
  const deployment = await deploy(KEY_SETS);
  if (deployment === undefined)
    throw new Error("The emulator was here when the tests were chosen, and is not any more");
  const parts = Object.entries(deployment.took).map(([part, seconds]) => `${part} ${seconds} s`);
  console.log(`Deployed to the emulator: ${parts.join(", ")}`);
  process.env.SHEAF_E2E_URL = deployment.url;
  process.env.SHEAF_E2E_EMULATOR_LOG = deployment.emulator.logFile;
  const { clientOptions, environment } = deployment.emulator;
  process.env.SHEAF_E2E_AWS = JSON.stringify({ clientOptions, outputs: deployment.outputs });
  // The tests' own processes, which are yet to start, send files to addresses of the emulator.
  process.env.NODE_EXTRA_CA_CERTS = environment.NODE_EXTRA_CA_CERTS;
  process.env.SHEAF_E2E_KEYS = JSON.stringify(deployment.keys);
  return async () => {
    console.log("The emulator is held to what it does otherwise than AWS:");
    for (const { what, aws, emulator } of Object.values(DIFFERENCES)) {
      console.log(`  ${what}: AWS ${aws}; the emulator ${emulator}`);
    }
    await deployment.close();
  };
}
