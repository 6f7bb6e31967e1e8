/** Makes a value when it is first asked for, and keeps it: what few documents need costs no other one, and no start. */
export function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
