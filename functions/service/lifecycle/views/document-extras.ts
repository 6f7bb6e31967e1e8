/** Lookup of the barcodes, figures and form fields that runs found. */
import { NotFound } from "../../../ports/errors.ts";
import type { Organization } from "../../organizations/organization.ts";
import { artifactKey, type RunSummary, TERMINAL_STATUSES } from "../../runs/job-records.ts";
import { loadJob } from "../../runs/job-store.ts";
import type { StoredAnswer } from "../../runs/run-results.ts";

const EXTRA_KINDS = {
  barcodes: { key: "barcodesKey", flag: "barcodes", name: "barcodes" },
  figures: { key: "figuresKey", flag: "extractFigures", name: "figures" },
  acroForm: { key: "acroFormKey", flag: "acroFormMetadata", name: "form metadata" },
} as const;

export type ExtraKind = keyof typeof EXTRA_KINDS;

/** The requested run, or the newest finished one, with findings of that kind. @throws NotFound */
async function findRunWith(
  org: Organization,
  guid: string,
  kind: ExtraKind,
  wanted: number | undefined,
): Promise<RunSummary> {
  const { key, flag, name } = EXTRA_KINDS[kind];
  const { runs } = (await loadJob(org, guid)).value;
  const found = runs.findLast(
    ({ run, status, [key]: foundKey }) =>
      foundKey !== undefined && (wanted === undefined ? TERMINAL_STATUSES.has(status) : run === wanted),
  );
  if (found === undefined) throw new NotFound(`Job ${guid} has no ${name}; process it with ${flag}: true`);
  return found;
}

/** Finds the findings of a kind. @throws NotFound for an unknown job, or when no run found any */
export async function findExtra(
  org: Organization,
  guid: string,
  kind: ExtraKind,
  wanted?: number,
): Promise<StoredAnswer> {
  const run = await findRunWith(org, guid, kind, wanted);
  return { key: run[EXTRA_KINDS[kind].key] ?? "", contentType: "application/json" };
}

/** Finds a figure's picture. @throws NotFound for an unknown job or figure */
export async function findFigure(org: Organization, guid: string, id: string, wanted?: number): Promise<StoredAnswer> {
  const { run } = await findRunWith(org, guid, "figures", wanted);
  // Only well-formed ids of figures may become part of a key.
  const head = /^[a-z0-9]{1,20}$/i.test(id) ? await org.blobs.head(artifactKey(guid, run, `figures/${id}`)) : undefined;
  if (head === undefined) throw new NotFound(`Job ${guid} has no figure ${JSON.stringify(id.slice(0, 40))}`);
  return { key: artifactKey(guid, run, `figures/${id}`), contentType: head.contentType };
}
