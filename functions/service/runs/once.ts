/** Memoizes a load: every call waits for the same answer, or fails with it. */
export function memoize<T>(load: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => {
    answer ??= load();
    return answer;
  };
}
