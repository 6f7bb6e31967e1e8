/**
 * Looks at documents in a function of their own, the first one at an upload and pictures of pages: what takes requests
 * carries no PDF engine and is not hurt by what it is sent. Bytes go by the bucket, for an invocation takes 6 MB at most;
 * refusals come back as data.
 */
import { InvokeCommand, type LambdaClient } from "@aws-sdk/client-lambda";
import * as z from "zod";
import { mapReduceWork, modelWork, nodeWork, operationWork, receiptWork } from "../../engine/tasks/methods.ts";
import type { Blobs } from "../../ports/blobs.ts";
import type { Clock } from "../../ports/clock.ts";
import type { DocumentEngine, PageImageOptions } from "../../ports/engine.ts";
import { AppError, BadRequest, NotFound, UnprocessableEntity } from "../../ports/errors.ts";
import type { WorkLimits } from "../../ports/limits.ts";
import { type LambdaEnd, lambdaEnd } from "./lambda-failures.ts";
import { toAppError } from "./service-errors.ts";

/** Blobs that nobody misses; the bucket's rule removes what a crash leaves. */
export const TEMPORARY = "tmp/";

/**
 * What the looking function is invoked with; with `picture`, it draws that page, with the values whose source locations
 * lie at `marks.sources`, and lays it at `to`; with `form`, what a PDF's form has.
 */
export const inspectionRequest = z.object({
  key: z.string().startsWith(TEMPORARY),
  mimeType: z.string(),
  picture: z
    .object({
      pageIndex: z.int().nonnegative(),
      to: z.string().startsWith(TEMPORARY),
      marks: z.object({ sources: z.string().startsWith(TEMPORARY), pointers: z.array(z.string()) }).optional(),
    })
    .optional(),
  form: z.object({ to: z.string().startsWith(TEMPORARY) }).optional(),
});
export type InspectionRequest = z.infer<typeof inspectionRequest>;

const inspectionAnswer = z.union([
  z.object({ pageCount: z.int().nonnegative().nullable() }),
  z.object({ made: z.literal(true) }),
  z.object({ refused: z.object({ status: z.int(), kind: z.string(), message: z.string() }) }),
]);
export type InspectionAnswer = z.infer<typeof inspectionAnswer>;

export interface RemoteInspectionOptions {
  client: LambdaClient;
  functionName: string;
  blobs: Pick<Blobs, "get" | "put" | "delete">;
  clock: Pick<Clock, "now" | "guid">;
}

const REASONS: Record<LambdaEnd, string> = {
  memory: "it needs more memory than is allowed",
  deadline: "opening it takes too long",
};

const notOpened = (end: LambdaEnd | undefined): UnprocessableEntity =>
  new UnprocessableEntity(
    `The document could not be opened: ${end === undefined ? "it appears to be corrupted" : REASONS[end]}`,
  );

function parse(payload: Uint8Array | undefined): unknown {
  try {
    return JSON.parse(Buffer.from(payload ?? []).toString("utf8"));
  } catch {
    return undefined;
  }
}

/** An engine that can look, and nothing else. */
export function openRemoteInspection(options: RemoteInspectionOptions): DocumentEngine {
  const { blobs, clock } = options;
  const elsewhere = async (): Promise<never> => {
    throw new Error("Documents are read by the steps' functions");
  };
  /** Lays the bytes beside for as long as they are looked at. */
  async function beside<T>(bytes: Uint8Array, mimeType: string, look: (key: string) => Promise<T>): Promise<T> {
    const key = `${TEMPORARY}inspect/${clock.guid()}`;
    await blobs.put(key, bytes, { contentType: mimeType });
    try {
      return await look(key);
    } finally {
      // The bucket's rule does it where this fails.
      await blobs.delete(key).catch(() => {});
    }
  }
  /** What the function laid beside for its caller. */
  async function taken(answer: object, to: string): Promise<Uint8Array> {
    const made = "made" in answer ? await blobs.get(to) : undefined;
    await blobs.delete(to).catch(() => {});
    if (made === undefined) throw notOpened(undefined);
    return made;
  }
  return {
    read: elsewhere,
    complete: elsewhere,
    picture: elsewhere,
    picturesPdf: elsewhere,
    transcribe: elsewhere,
    extract: elsewhere,
    extras: elsewhere,
    cells: elsewhere,
    describe: elsewhere,
    locate: elsewhere,
    model: modelWork(elsewhere),
    mapReduce: mapReduceWork(elsewhere),
    rows: receiptWork(elsewhere),
    operations: operationWork(elsewhere),
    nodes: nodeWork(elsewhere),
    acroForm: (bytes, limits) =>
      beside(bytes, "application/pdf", async (key) => {
        const to = `${key}.json`;
        const answer = await invoke(options, { key, mimeType: "application/pdf", form: { to } }, limits);
        return taken(answer, to);
      }),
    pageImage: (bytes, { mimeType, pageIndex, marks }, limits) =>
      beside(bytes, mimeType, async (key) => {
        const to = `${key}.png`;
        const draw = async (more: { marks?: { sources: string; pointers: string[] } }) =>
          taken(await invoke(options, { key, mimeType, picture: { pageIndex, to, ...more } }, limits), to);
        if (marks === undefined) return draw({});
        const { pointers } = marks;
        return beside(marks.sources, "application/json", (sources) => draw({ marks: { sources, pointers } }));
      }),
    inspect: (bytes, mimeType, limits) =>
      beside(bytes, mimeType, async (key) => {
        const answer = await invoke(options, { key, mimeType }, limits);
        if (!("pageCount" in answer)) throw notOpened(undefined);
        return answer;
      }),
    async close() {},
  };
}

/** @throws UnprocessableEntity as the function's look gave it, or for a look that its function did not survive */
async function invoke(
  { client, functionName, clock }: RemoteInspectionOptions,
  request: InspectionRequest,
  { deadline }: WorkLimits,
): Promise<Exclude<InspectionAnswer, { refused: unknown }>> {
  const abortSignal = AbortSignal.timeout(Math.max(deadline - clock.now(), 1));
  const command = new InvokeCommand({ FunctionName: functionName, Payload: JSON.stringify(request) });
  const { FunctionError, Payload } = await client.send(command, { abortSignal }).catch((error: unknown) => {
    throw abortSignal.aborted ? notOpened("deadline") : toAppError(error, "The service's inspection");
  });
  const payload = parse(Payload);
  if (FunctionError !== undefined) {
    const { errorType, errorMessage } = (payload ?? {}) as { errorType?: unknown; errorMessage?: unknown };
    throw notOpened(lambdaEnd(errorType, errorMessage));
  }
  const answer = inspectionAnswer.safeParse(payload);
  if (!answer.success) throw notOpened(undefined);
  if (!("refused" in answer.data)) return answer.data;
  const { status, kind, message } = answer.data.refused;
  if (status === 404) throw new NotFound(message);
  if (status === 400) throw new BadRequest(message);
  throw status === 422 ? new UnprocessableEntity(message) : new AppError(status, kind, message);
}

/** @throws NotFound when their job was deleted meanwhile */
async function marksFor(
  { sources: key, pointers }: { sources: string; pointers: string[] },
  blobs: Pick<Blobs, "get">,
): Promise<NonNullable<PageImageOptions["marks"]>> {
  const sources = await blobs.get(key);
  if (sources === undefined) throw new NotFound("The source locations are gone");
  return { sources, pointers };
}

/** What the looking function can do. */
export interface Looks {
  inspect(bytes: Uint8Array, mimeType: string): Promise<{ pageCount: number | null }>;
  pageImage(bytes: Uint8Array, options: PageImageOptions): Promise<Uint8Array>;
  acroForm(bytes: Uint8Array): Promise<Uint8Array>;
}

/**
 * The looking function's work.
 * @throws what is no AppError, for Lambda to report @throws ZodError for an event that `openRemoteInspection` does not send
 */
export async function inspectRemotely(
  event: unknown,
  blobs: Pick<Blobs, "get" | "put">,
  look: Looks,
): Promise<InspectionAnswer> {
  const { key, mimeType, picture, form } = inspectionRequest.parse(event);
  try {
    const bytes = await blobs.get(key);
    if (bytes === undefined) throw new UnprocessableEntity("The document could not be opened: its upload is gone");
    if (form !== undefined) {
      await blobs.put(form.to, await look.acroForm(bytes), { contentType: "application/json" });
      return { made: true };
    }
    if (picture === undefined) return await look.inspect(bytes, mimeType);
    const { pageIndex, to } = picture;
    const marks = picture.marks && (await marksFor(picture.marks, blobs));
    const drawn = await look.pageImage(bytes, { mimeType, pageIndex, ...(marks && { marks }) });
    await blobs.put(to, drawn, { contentType: "image/png" });
    return { made: true };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { refused: { status: error.status, kind: error.kind, message: error.message } };
  }
}
