/** Ends of runs, told to those in the same process who wait for them. */
import type { Watch } from "../../ports/wakes.ts";
import type { Organization } from "../organizations/organization.ts";

const nameOf = (org: Organization, guid: string): string => `organization/${org.id}/ended/${guid}`;

/** Call when the end of a run is recorded. */
export const tellEnd = (org: Organization, guid: string): void => org.wakes?.wake(nameOf(org, guid));

/** Watches for the end of a job's run. @returns undefined where ends are not told */
export const watchEnd = (org: Organization, guid: string): Watch | undefined => org.wakes?.watch(nameOf(org, guid));
