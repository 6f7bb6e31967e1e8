/** Checks that the app can be deployed here: with the emulator and a certificate. */
import { canRunMinistack } from "../support/ministack.ts";
import { hasOpenssl } from "./certificate.ts";

/** When it cannot, a line on the console gives the reason. */
export async function canDeploy(): Promise<boolean> {
  if (await hasOpenssl()) return canRunMinistack();
  console.warn(
    "SKIPPED: nothing is deployed to the MiniStack emulator here: there is no openssl to make a certificate",
  );
  return false;
}
