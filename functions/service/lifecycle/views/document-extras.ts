/** Barcodes, figures and forms that runs found, as readers get them. */
import { NotFound } from "../../../ports/errors.ts";
import type { Organization } from "../../organizations/organization.ts";
import { artifactKey, type RunSummary, TERMINAL_STATUSES } from "../../runs/job-records.ts";
import { loadJob } from "../../runs/job-store.ts";
import type { StoredAnswer } from "../../runs/run-results.ts";

const KINDS = {
  barcodes: { key: "barcodesKey", flag: "barcodes", name: "barcodes" },
  figures: { key: "figuresKey", flag: "extractFigures", name: "figures" },
  acroForm: { key: "acroFormKey", flag: "acroFormMetadata", name: "form metadata" },
} as const;

export type ExtraKind = keyof typeof KINDS;

/** The run asked for, or the newest finished one that has such findings. @throws NotFound */
async function runWith(
  org: Organization,
  guid: string,
  kind: ExtraKind,
  wanted: number | undefined,
): Promise<RunSummary> {
  const { key, flag, name } = KINDS[kind];
  const { runs } = (await loadJob(org, guid)).value;
  const found = runs.findLast(
    ({ run, status, [key]: there }) =>
      there !== undefined && (wanted === undefined ? TERMINAL_STATUSES.has(status) : run === wanted),
  );
  if (found === undefined) throw new NotFound(`Job ${guid} has no ${name}; process it with ${flag}: true`);
  return found;
}

/** @throws NotFound when there is no such job, or no run found any */
export async function findExtra(
  org: Organization,
  guid: string,
  kind: ExtraKind,
  wanted?: number,
): Promise<StoredAnswer> {
  const run = await runWith(org, guid, kind, wanted);
  return { key: run[KINDS[kind].key] ?? "", contentType: "application/json" };
}

/** @throws NotFound when there is no such job or figure */
export async function findFigure(org: Organization, guid: string, id: string, wanted?: number): Promise<StoredAnswer> {
  const { run } = await runWith(org, guid, "figures", wanted);
  // Names of figures are ours; what is none must not become a path.
  const head = /^[a-z0-9]{1,20}$/i.test(id) ? await org.blobs.head(artifactKey(guid, run, `figures/${id}`)) : undefined;
  if (head === undefined) throw new NotFound(`Job ${guid} has no figure ${JSON.stringify(id.slice(0, 40))}`);
  return { key: artifactKey(guid, run, `figures/${id}`), contentType: head.contentType };
}
