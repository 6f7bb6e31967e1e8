/**
 * Messages between the service and a pooled process. The process has handled an untrusted document, so all its messages
 * are validated here first.
 */
import {
  AppError,
  BadRequest,
  Conflict,
  ERROR_KINDS,
  type ErrorKind,
  JOB_SENTENCES,
  JobFailure,
  type MemberFault,
  PayloadTooLarge,
  ServiceUnavailable,
  UnprocessableEntity,
  UnsupportedMediaType,
} from "../../../ports/errors.ts";
import { inSources } from "../code-bundle/source-places.ts";

/** The export `tasks` of a tasks' module: functions of one payload, which must be repeatable. */
export type PoolTasks = Record<string, (payload: never) => unknown>;

/** Service → process, one at a time. */
export interface TaskMessage {
  id: number;
  task: string;
  payload: unknown;
}

/** An AppError as data. */
interface AppErrorData {
  type: "app";
  name: string;
  kind: ErrorKind;
  message: string;
  retryable: boolean;
  /** Absent: it names no members. */
  errors?: MemberFault[];
}

/** Any other error: its place, but not its message, which may quote the document. */
interface DefectData {
  type: "defect";
  name: string;
  frames: string[];
}

/** The process refused an allocation. */
interface MemoryData {
  type: "memory";
}

export type ErrorData = AppErrorData | DefectData | MemoryData;

/** Process → service. */
export type WorkerMessage =
  | { type: "ready" }
  | { type: "answer"; id: number; value: unknown }
  | { type: "failure"; id: number; error: ErrorData };

const MAX_SENTENCE_CHARACTERS = 1_000;
const MAX_FRAMES = 8;
const MAX_FRAME_CHARACTERS = 300;
/** Members that an error names, and characters of each of their texts. */
const MAX_MEMBERS = 1_000;
const MAX_MEMBER_CHARACTERS = 1_000;

type Members = Record<string, unknown>;

const isObject = (value: unknown): value is Members => typeof value === "object" && value !== null;
const isText = (value: unknown, longest: number): value is string =>
  typeof value === "string" && value.length <= longest;

const isKind = (value: unknown): value is ErrorKind => ERROR_KINDS.some((kind) => kind === value);

const areFaults = (value: unknown): value is MemberFault[] =>
  Array.isArray(value) &&
  value.length <= MAX_MEMBERS &&
  value.every(
    (one) => isObject(one) && isText(one.path, MAX_MEMBER_CHARACTERS) && isText(one.message, MAX_MEMBER_CHARACTERS),
  );

/** The members that an error names, as many as a message takes. */
const faultsOf = ({ errors }: AppError): { errors?: MemberFault[] } =>
  errors === undefined
    ? {}
    : {
        errors: errors.slice(0, MAX_MEMBERS).map(({ path, message }) => ({
          path: path.slice(0, MAX_MEMBER_CHARACTERS),
          message: message.slice(0, MAX_MEMBER_CHARACTERS),
        })),
      };

function isErrorData(value: unknown): value is ErrorData {
  if (!isObject(value)) return false;
  if (value.type === "memory") return true;
  if (!isText(value.name, 100)) return false;
  if (value.type === "app") {
    return (
      isKind(value.kind) &&
      isText(value.message, MAX_SENTENCE_CHARACTERS) &&
      typeof value.retryable === "boolean" &&
      (value.errors === undefined || areFaults(value.errors))
    );
  }
  return (
    value.type === "defect" &&
    Array.isArray(value.frames) &&
    value.frames.length <= MAX_FRAMES &&
    value.frames.every((frame) => isText(frame, MAX_FRAME_CHARACTERS))
  );
}

/** @returns the message, or undefined unless it is one of the three that a process may send. */
export function parseWorkerMessage(message: unknown): WorkerMessage | undefined {
  if (!isObject(message)) return undefined;
  if (message.type === "ready") return { type: "ready" };
  const { id } = message;
  if (typeof id !== "number") return undefined;
  if (message.type === "answer") return { type: "answer", id, value: message.value };
  if (message.type === "failure" && isErrorData(message.error)) return { type: "failure", id, error: message.error };
  return undefined;
}

/** V8's messages for a refused allocation; they show that the document is too large, not that it is corrupted. */
const REFUSED_ALLOCATION = /^(Array buffer allocation failed|Invalid (string|typed array|array) length)/;

/** Data about an error of a task. The message of an error that is not an AppError stays inside the process. */
export function errorToData(error: unknown): ErrorData {
  if (error instanceof AppError) {
    const { name, kind, retryable } = error;
    const message = error.message.slice(0, MAX_SENTENCE_CHARACTERS);
    return { type: "app", name, kind, message, retryable, ...faultsOf(error) };
  }
  if (error instanceof RangeError && REFUSED_ALLOCATION.test(error.message)) return { type: "memory" };
  if (!(error instanceof Error)) return { type: "defect", name: "NotAnError", frames: [] };
  const frames = (error.stack ?? "")
    .split("\n")
    .filter((line) => /^\s+at .+:\d+:\d+\)?$/.test(line))
    .slice(0, MAX_FRAMES)
    .map((line) => inSources(line.trim()).slice(0, MAX_FRAME_CHARACTERS));
  return { type: "defect", name: /^\w{1,100}$/.test(error.name) ? error.name : "Error", frames };
}

/** The error for the service's caller, from one thrown in a process. */
export function errorFromData(data: AppErrorData | DefectData): AppError {
  if (data.type === "defect") {
    const cause = new Error(`${data.name} in a document process`);
    cause.stack = [cause.message, ...data.frames].join("\n    ");
    return new JobFailure(JOB_SENTENCES.corrupted, { cause });
  }
  const members = data.errors === undefined ? {} : { errors: data.errors };
  switch (data.name) {
    case "JobFailure":
      return new JobFailure(data.message, { retryable: data.retryable });
    case "BadRequest":
      return new BadRequest(data.message, members);
    case "PayloadTooLarge":
      return new PayloadTooLarge(data.message);
    case "UnsupportedMediaType":
      return new UnsupportedMediaType(data.message);
    case "UnprocessableEntity":
      return new UnprocessableEntity(data.message, members);
    case "Conflict":
      return new Conflict(data.message);
    case "ServiceUnavailable":
      return new ServiceUnavailable(data.message);
    default:
      return new AppError(data.kind, data.message, members, data.retryable);
  }
}
