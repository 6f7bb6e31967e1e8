/** Calls in the forms that most of them have. */
import { parseAnswer } from "./answers.ts";
import type { Call, Connection } from "./http.ts";
import type { CallOptions, WorkOptions } from "./options.ts";

type Query = Call["query"];
type Body = Call["body"] | undefined;

/** Reads JSON. */
export const read = async <T>(
  connection: Connection,
  path: string,
  { signal }: CallOptions = {},
  query: Query = {},
): Promise<T> => parseAnswer(await connection.send({ method: "GET", path, query, signal }));

/** Reads bytes. */
export const readBytes = async (
  connection: Connection,
  path: string,
  { signal }: CallOptions = {},
  query: Query = {},
): Promise<Uint8Array> => (await connection.send({ method: "GET", path, query, signal })).bytes;

/** Changes something without a key; a POST is not sent again after a broken connection. @returns the parsed answer */
export const change = async <T>(
  connection: Connection,
  method: Call["method"],
  path: string,
  { signal }: CallOptions = {},
  body?: Body,
): Promise<T> => parseAnswer(await connection.send({ method, path, body, signal }));

/** Has something worked out that nothing keeps. @returns the parsed answer */
export const compute = async <T>(
  connection: Connection,
  path: string,
  body: Body,
  { signal }: CallOptions = {},
): Promise<T> => parseAnswer(await connection.send({ method: "POST", path, body, computes: true, signal }));

/** Deletes something. */
export const remove = async (connection: Connection, path: string, { signal }: CallOptions = {}): Promise<void> => {
  await connection.send({ method: "DELETE", path, signal });
};

/** Starts work under an idempotency key, so that a retry starts nothing twice. @returns the parsed answer */
export const postWork = async <T>(
  connection: Connection,
  path: string,
  body: Body,
  { idempotencyKey = crypto.randomUUID(), signal }: WorkOptions = {},
  query: Query = {},
): Promise<T> => parseAnswer(await connection.send({ method: "POST", path, query, body, idempotencyKey, signal }));
