/**
 * The first look at an upload, in a function of its own: what takes requests carries no PDF engine and is not hurt by
 * what it is sent. The bytes go by the bucket, for an invocation takes 6 MB at most; refusals come back as data.
 */
import { InvokeCommand, type LambdaClient } from "@aws-sdk/client-lambda";
import * as z from "zod";
import { AppError, UnprocessableEntity } from "../../core/errors.ts";
import type { Blobs, Clock, DocumentEngine, WorkLimits } from "../../core/ports.ts";
import { type LambdaEnd, lambdaEnd } from "./lambda-failures.ts";
import { toAppError } from "./service-errors.ts";

/** Blobs that nobody misses; the bucket's rule removes what a crash leaves. */
export const TEMPORARY = "tmp/";

/** What the inspecting function is invoked with. */
export const inspectionRequest = z.object({ key: z.string().startsWith(TEMPORARY), mimeType: z.string() });
export type InspectionRequest = z.infer<typeof inspectionRequest>;

const inspectionAnswer = z.union([
  z.object({ pageCount: z.int().nonnegative().nullable() }),
  z.object({ refused: z.object({ status: z.int(), kind: z.string(), message: z.string() }) }),
]);
export type InspectionAnswer = z.infer<typeof inspectionAnswer>;

export interface RemoteInspectionOptions {
  client: LambdaClient;
  functionName: string;
  blobs: Pick<Blobs, "put" | "delete">;
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
  const elsewhere = async (): Promise<never> => {
    throw new Error("Documents are read by the steps' functions");
  };
  return {
    read: elsewhere,
    transcribe: elsewhere,
    extract: elsewhere,
    async inspect(bytes, mimeType, limits) {
      const key = `${TEMPORARY}inspect/${options.clock.guid()}`;
      await options.blobs.put(key, bytes, { contentType: mimeType });
      try {
        return await invoke(options, { key, mimeType }, limits);
      } finally {
        // The bucket's rule does it where this fails.
        await options.blobs.delete(key).catch(() => {});
      }
    },
    async close() {},
  };
}

/** @throws UnprocessableEntity as the function's look gave it, or for a look that its function did not survive */
async function invoke(
  { client, functionName, clock }: RemoteInspectionOptions,
  request: InspectionRequest,
  { deadline }: WorkLimits,
): Promise<{ pageCount: number | null }> {
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
  if ("pageCount" in answer.data) return answer.data;
  const { status, kind, message } = answer.data.refused;
  throw status === 422 ? new UnprocessableEntity(message) : new AppError(status, kind, message);
}

/**
 * The inspecting function's work.
 * @throws what is no AppError, for Lambda to report @throws ZodError for an event that `openRemoteInspection` does not send
 */
export async function inspectRemotely(
  event: unknown,
  blobs: Pick<Blobs, "get">,
  inspect: (bytes: Uint8Array, mimeType: string) => Promise<{ pageCount: number | null }>,
): Promise<InspectionAnswer> {
  const { key, mimeType } = inspectionRequest.parse(event);
  try {
    const bytes = await blobs.get(key);
    if (bytes === undefined) throw new UnprocessableEntity("The document could not be opened: its upload is gone");
    return await inspect(bytes, mimeType);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { refused: { status: error.status, kind: error.kind, message: error.message } };
  }
}
