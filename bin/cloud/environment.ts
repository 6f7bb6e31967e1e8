/** What the stack tells its functions, by environment variables. Each function has those that it uses. */
import * as z from "zod";
import type { LogLevel } from "../../functions/ports/observer.ts";
import { ConfigError } from "../api-keys.ts";

export type Variables = Record<string, string | undefined>;

/** @throws ConfigError when the function was deployed without it */
export function required(env: Variables, name: string): string {
  const value = env[name];
  if (value === undefined || value === "") throw new ConfigError(`${name} is not set`);
  return value;
}

/** @throws ConfigError when it is absent, no JSON or of another shape */
export function requiredJson<T>(env: Variables, name: string, shape: z.ZodType<T>): T {
  const text = required(env, name);
  try {
    return shape.parse(JSON.parse(text));
  } catch {
    throw new ConfigError(`${name} is not what the stack writes`);
  }
}

export const LOG_LEVELS: readonly string[] = ["debug", "info", "warn", "error"] satisfies LogLevel[];

/** `SHEAF_LOG`; anything unknown is `info`. */
export const logLevel = (env: Variables): LogLevel =>
  LOG_LEVELS.includes(env.SHEAF_LOG ?? "") ? (env.SHEAF_LOG as LogLevel) : "info";

/** URLs of queues by tier. */
export const queueUrls = z.record(z.string(), z.string());

/** Queues with their dead letters, by the names that the service uses. */
export const queueAddresses = z.record(z.string(), z.object({ url: z.string(), deadLetterUrl: z.string() }));

/** Makes a thing at its first use, and once. A failure is not kept: the next use tries again. */
export function lazily<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
