/** Matches paths against the route table, as API Gateway does. */

export interface RoutePath {
  method: string;
  /** Path with `{name}` placeholders. */
  path: string;
}

/** A route's key and the values of its placeholders. */
export interface RouteMatch {
  key: string;
  parameters: Record<string, string>;
}

interface Matcher {
  key: string;
  method: string;
  segments: { name?: string; text: string }[];
}

const matcherOf = ({ method, path }: RoutePath): Matcher => ({
  key: `${method} ${path}`,
  method,
  segments: path.split("/").map((text) => {
    const name = /^\{(\w+)\}$/.exec(text)?.[1];
    return name === undefined ? { text } : { name, text };
  }),
});

/** A literal segment wins over a placeholder, as in the gateway. */
const byLiterals = (a: Matcher, b: Matcher): number => {
  const literals = (one: Matcher): string => one.segments.map(({ name }) => (name === undefined ? "0" : "1")).join("");
  return literals(a) < literals(b) ? -1 : 1;
};

function match(matchers: readonly Matcher[], method: string, path: string): RouteMatch | undefined {
  const segments = path.split("/");
  for (const one of matchers) {
    if (one.method !== method || one.segments.length !== segments.length) continue;
    const parameters: Record<string, string> = {};
    const fits = one.segments.every(({ name, text }, index) => {
      const segment = segments[index] ?? "";
      if (name === undefined) return segment === text;
      if (segment === "") return false;
      parameters[name] = decodeURIComponent(segment);
      return true;
    });
    if (fits) return { key: one.key, parameters };
  }
  return undefined;
}

/** @returns a function from method and path to the route; it throws URIError for a malformed path */
export function createRouter(routes: readonly RoutePath[]): (method: string, path: string) => RouteMatch | undefined {
  const matchers = routes.map(matcherOf).sort(byLiterals);
  return (method, path) => match(matchers, method, path);
}
