/** The environment variables that the stack sets. Each function has the ones that it uses. */
import * as z from "zod";
import type { LogLevel } from "../../functions/ports/observer.ts";
import { ConfigError } from "../api-keys.ts";

export type Variables = Record<string, string | undefined>;

/** @throws ConfigError when the variable is missing */
export function required(env: Variables, name: string): string {
  const value = env[name];
  if (value === undefined || value === "") throw new ConfigError(`${name} is not set`);
  return value;
}

/** @throws ConfigError when the variable is missing, not JSON or of another shape */
export function requiredJson<T>(env: Variables, name: string, shape: z.ZodType<T>): T {
  const text = required(env, name);
  try {
    return shape.parse(JSON.parse(text));
  } catch {
    throw new ConfigError(`${name} is not what the stack writes`);
  }
}

export const LOG_LEVELS: readonly string[] = ["debug", "info", "warn", "error"] satisfies LogLevel[];

/** `SHEAF_LOG`; any unknown value is `info`. */
export const logLevel = (env: Variables): LogLevel =>
  LOG_LEVELS.includes(env.SHEAF_LOG ?? "") ? (env.SHEAF_LOG as LogLevel) : "info";

/** Queue URLs by tier. */
export const queueUrls = z.record(z.string(), z.string());

/** Queues and their dead letters, by the service's names. */
export const queueAddresses = z.record(z.string(), z.object({ url: z.string(), deadLetterUrl: z.string() }));

/** Makes a thing once, at its first use. A failure is not remembered: the next use tries again. */
export function lazily<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
