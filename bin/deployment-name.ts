import { fingerprintUnder } from "../functions/service/organizations/vault.ts";

/** Characters of the name: enough that no two deployments of an account share one. */
const NAME_CHARACTERS = 16;

/** Names this deployment to others, and stays the same with its server key. */
export const deploymentName = (serverKey: () => Promise<Uint8Array>): (() => Promise<string>) => {
  const fingerprint = fingerprintUnder(serverKey);
  return async () => (await fingerprint("the deployment's name")).slice(0, NAME_CHARACTERS);
};
