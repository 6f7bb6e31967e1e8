/** Whether the app can be deployed here at all: to the emulator, with a certificate. */
import { canRunMinistack } from "../support/ministack.ts";
import { hasOpenssl } from "./certificate.ts";

/** When not, a line on the console says why. */
export async function canDeploy(): Promise<boolean> {
  if (await hasOpenssl()) return canRunMinistack();
  console.warn(
    "SKIPPED: nothing is deployed to the MiniStack emulator here: there is no openssl to make a certificate",
  );
  return false;
}
