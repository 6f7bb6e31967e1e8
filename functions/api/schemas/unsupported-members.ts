/** Members that change the result but that this release does not support. */
import { BadRequest } from "../../ports/errors.ts";

const NAMES = ["excelTemplate", "lookupFile"];

/** The members are absent or null, in the OpenAPI document. */
export const UNSUPPORTED = {
  allOf: [{ properties: Object.fromEntries(NAMES.map((name) => [name, { type: "null" }])) }],
};

/** @throws BadRequest naming each of them */
export function refuseUnsupported(command: Record<string, unknown>): void {
  const given = NAMES.filter((name) => command[name] !== undefined);
  if (given.length === 0) return;
  const errors = given.map((name) => ({
    path: `/${name}`,
    message: "is not supported by this release; leave it out",
  }));
  throw new BadRequest(`Not supported by this release: ${given.join(", ")}`, { errors });
}
