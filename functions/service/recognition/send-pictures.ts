/** Sends pictures of a document's pages to an asynchronous recognition. */
import { picturesPdfTask } from "../../engine/tasks/pictures-pdf.ts";
import { encodeJson, parseJsonBytes } from "../../ports/json.ts";
import type { OcrEngine, OcrLevel, OcrView } from "../../ports/ocr.ts";
import { artifactKey } from "../runs/job-records.ts";
import type { StepRun } from "../runs/run-step.ts";
import { isCutOff, recognitionDeadline } from "./recognition-time.ts";
import type { RecognitionSource } from "./recognize-pages.ts";

/** Share of the time for recognition in which its pictures are drawn; the service has the rest. */
const DRAWING_SHARE = 0.5;

export const JSON_TYPE = { contentType: "application/json" };

/** The key of a file of a run's recognition. */
export const recognitionKey = ({ job, run }: StepRun, level: OcrLevel, name: string): string =>
  artifactKey(job.guid, run.run, `ocr/${level.toLowerCase()}/${name}`);

/** The key of the pictures' PDF. */
const picturesKey = (context: StepRun, level: OcrLevel): string => recognitionKey(context, level, "pages.pdf");

/**
 * Draws the pages, as many as there is time for; a repeated call gives the pictures of the first one, which the service
 * may be reading already.
 */
async function drawPictures(
  context: StepRun,
  engine: OcrEngine,
  source: RecognitionSource,
  { level, numbers }: { level: OcrLevel; numbers: readonly number[] },
): Promise<OcrView[]> {
  const { org } = context;
  if (engine.documents === undefined) throw new TypeError(`${engine.name} takes no documents`);
  const known = await org.blobs.get(recognitionKey(context, level, "views.json"));
  if (known !== undefined) return parseJsonBytes<OcrView[]>(known);
  const { maxPageInches, maxBytes, maxPages } = engine.documents;
  const limits = { maxPageInches, maxBytes, maxPages, maxSide: engine.maxSide };
  const deadline = recognitionDeadline(context);
  const drawingTime = DRAWING_SHARE * (deadline - org.engines.clock.now());
  const options = { mimeType: source.mimeType, pageNumbers: [...numbers], level, limits, drawingTime };
  const { pdf, views } = await org.engines.documents.run(
    picturesPdfTask,
    { bytes: source.bytes, options },
    { deadline },
  );
  await org.blobs.put(picturesKey(context, level), pdf, { contentType: "application/pdf" });
  await org.blobs.put(recognitionKey(context, level, "views.json"), encodeJson(views), JSON_TYPE);
  return views;
}

/** An asynchronous recognition that has begun. */
export interface SentPictures {
  /** The service's id. */
  id: string;
  /** Views of the pictures, in their order. */
  views: OcrView[];
}

/** Has pages recognised, as many as there is time to draw. @returns undefined without time for any */
export async function sendPictures(
  context: StepRun,
  engine: OcrEngine,
  source: RecognitionSource,
  pages: { level: OcrLevel; numbers: readonly number[] },
): Promise<SentPictures | undefined> {
  const { org, job, run } = context;
  const { level } = pages;
  const { clock } = org.engines;
  if (engine.documents === undefined) throw new TypeError(`${engine.name} takes no documents`);
  const until = recognitionDeadline(context);
  if (clock.now() >= until) return undefined;
  try {
    const views = await drawPictures(context, engine, source, pages);
    // The engine reads the bucket itself, so it needs the key with the organization's prefix.
    const blobKey = `org/${org.id}/${picturesKey(context, level)}`;
    const token = `${org.id}/${job.guid}/${run.run}/${level}`;
    return { id: await engine.documents.start({ blobKey, level, token }, { deadline: until }), views };
  } catch (error) {
    if (isCutOff(context, until)) return undefined;
    throw error;
  }
}
