import { blobRangeReader, parseLayout, readLayoutHead, readLayoutPages } from "../engine/layout/layout-file.ts";
import type { ReadingFacts } from "../engine/readers/reading.ts";
import { JOB_SENTENCES, JobFailure } from "../ports/errors.ts";
import type { Layout, Page } from "../ports/layout.ts";
import type { Organization } from "../service/organizations/organization.ts";
import type { StepRun } from "../service/runs/run-step.ts";
import { findReading } from "../service/runs/step-outcomes.ts";

/** Loads the facts that were counted when the document was read. */
export async function loadFacts({ readOutcomes }: Pick<StepRun, "readOutcomes">): Promise<ReadingFacts | undefined> {
  return findReading((await readOutcomes()).outputs)?.facts;
}

/** Loads the run's layout, UTF-8 JSON. @throws JobFailure (no text) for a run without one */
export async function loadLayout({ org, readOutcomes }: Pick<StepRun, "org" | "readOutcomes">): Promise<Uint8Array> {
  const { outputs } = await readOutcomes();
  const reading = findReading(outputs);
  const layout = reading && (await org.blobs.get(reading.layoutKey));
  if (layout === undefined) throw new JobFailure(JOB_SENTENCES.noText);
  return layout;
}

/**
 * Loads some pages of a layout without reading the others, with the facts of the whole document.
 * @param choose selects page numbers from all that the layout has
 * @throws RangeError for a layout of an unsupported version
 */
export async function loadPages(
  org: Organization,
  layoutKey: string,
  choose: (all: readonly number[]) => readonly number[],
): Promise<{ facts: Omit<Layout, "pages">; pages: Page[] }> {
  const read = blobRangeReader(org.blobs, layoutKey);
  const first = await readLayoutHead(read).catch((error: unknown) => {
    // Layouts of early releases have no index.
    if (error instanceof RangeError) return undefined;
    throw error;
  });
  if (first !== undefined) {
    const { index, ...facts } = first.head;
    const numbers = choose(index.map(([number]) => number));
    return { facts, pages: await readLayoutPages(read, numbers, first) };
  }
  const { pages, ...facts } = parseLayout((await org.blobs.get(layoutKey)) ?? new Uint8Array());
  const numbers = choose(pages.map(({ number }) => number));
  return { facts, pages: pages.filter(({ number }) => numbers.includes(number)) };
}
