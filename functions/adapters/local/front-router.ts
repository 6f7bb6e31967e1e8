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

function match(matchers: readonly Matcher[], segments: readonly string[]): RouteMatch | undefined {
  for (const one of matchers) {
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
  const shapeOf = (method: string, segments: readonly unknown[]): string => `${method} ${segments.length}`;
  const matchers = Map.groupBy(routes.map(matcherOf).sort(byLiterals), (one) => shapeOf(one.method, one.segments));
  return (method, path) => {
    const segments = path.split("/");
    return match(matchers.get(shapeOf(method, segments)) ?? [], segments);
  };
}
