/** Makes a value when it is first asked for, and keeps it: what few documents need costs no other one, and no start. */
export function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Makes the value of each object when it is first asked for, and keeps it as long as the object lives. */
export function oncePer<K extends object, T>(make: (key: K) => T): (key: K) => T {
  const made = new WeakMap<K, { value: T }>();
  return (key) => {
    const kept = made.get(key) ?? { value: make(key) };
    made.set(key, kept);
    return kept.value;
  };
}
