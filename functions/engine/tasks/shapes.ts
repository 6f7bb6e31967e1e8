/**
 * Shapes shared by most tasks. Files of shapes are small: a bundle carries each file that it names whole, with the parts
 * of zod that its shapes use.
 */
import * as z from "zod";
import type { Json } from "../../ports/json.ts";

/** Not `z.instanceof`, which makes every bundle that names a task larger. */
export const bytes: z.ZodType<Uint8Array> = z.custom<Uint8Array>((value) => value instanceof Uint8Array);
/** A value of the type T that the service or its model made. Only its presence is checked. */
export const typed = <T>(): z.ZodType<T> => z.custom<T>((value) => value !== undefined);

/** A value of the type T, checked against the coarser shape `outline`. */
export const shaped = <T>(outline: z.ZodType): z.ZodType<T> => outline as z.ZodType<unknown> as z.ZodType<T>;

/** A schema, a result or a part of one, as JSON. */
export const json = typed<Json>();
