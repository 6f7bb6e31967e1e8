/** Requests without a route: a path with other methods, a path that clients know and this service does not have, or none. */
import { type AppError, MethodNotAllowed, NotFound } from "../../ports/errors.ts";
import type { HttpEvent } from "../../ports/http.ts";

export interface KnownPath {
  method: string;
  /** Path with `{name}` placeholders. */
  path: string;
}

/** Paths that public clients call and that are no part of this service, with what they are for. */
const OUT_OF_SCOPE: readonly { path: string; what: string }[] = [
  { path: "/configuration/{name}/excel-template", what: "Templates of workbooks" },
  { path: "/configuration/{name}/lookup-file", what: "Lookup files" },
  { path: "/document/batch/{guid}/lookup-file", what: "Lookup files" },
];

/** The error of a call that is out of scope. @param what what it is for, in the plural */
export const outOfScope = (what: string): NotFound =>
  new NotFound(`${what} are out of this service's scope: it has no such call`);

const withoutPrefix = (path: string): string => path.replace(/^\/compat(?=\/)/, "");

function matches(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split("/"), path.split("/")];
  return (
    wanted.length === given.length &&
    wanted.every((text, at) => (text.startsWith("{") ? given[at] !== "" : given[at] === text))
  );
}

/** The methods of a path, for `Allow`; empty for an unknown path. HEAD is on every GET. */
export function allowedMethods(paths: readonly KnownPath[], path: string): string[] {
  const own = paths.filter((one) => matches(one.path, path)).map(({ method }) => method);
  return [...new Set(own.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])))].sort();
}

/** The error of a request that no route serves. @param paths all paths of the service */
export function unservedError(event: HttpEvent, paths: readonly KnownPath[]): AppError {
  const { method } = event.requestContext.http;
  const allowed = allowedMethods(paths, event.rawPath);
  if (allowed.length > 0) {
    return new MethodNotAllowed(`${event.rawPath} has no ${method}; it has ${allowed.join(", ")}`, allowed);
  }
  const known = OUT_OF_SCOPE.find(({ path }) => matches(path, withoutPrefix(event.rawPath)));
  if (known !== undefined) return outOfScope(known.what);
  return new NotFound(`No route ${method} ${event.rawPath}`);
}
