/** Writes the bundle of the service before its tests start: several processes of tests would each write it at once. */
import { openServiceBundle } from "../../bin/local/service-bundle.ts";

const { fault } = await openServiceBundle();
if (fault !== undefined) {
  console.error(fault);
  process.exitCode = 1;
}
