/** The assignment problem: pairs with the largest sum of similarities. */

/**
 * Assigns rows to columns with the largest sum (H. Kuhn, 1955, in the form with potentials: O(rows² × columns)).
 * @param gains for each row its gain with each column; not more rows than columns
 * @returns each row's column
 */
function assignRows(gains: readonly Float64Array[], columns: number): number[] {
  const rows = gains.length;
  const potentials = new Float64Array(rows + 1);
  const prices = new Float64Array(columns + 1);
  const owner = new Int32Array(columns + 1);
  const before = new Int32Array(columns + 1);
  for (let row = 1; row <= rows; row += 1) {
    owner[0] = row;
    let column = 0;
    const least = new Float64Array(columns + 1).fill(Infinity);
    const visited = new Uint8Array(columns + 1);
    do {
      visited[column] = 1;
      const current = owner[column] ?? 0;
      let [delta, next] = [Infinity, 0];
      for (let j = 1; j <= columns; j += 1) {
        if (visited[j] === 1) continue;
        const cost = -(gains[current - 1]?.[j - 1] ?? 0) - (potentials[current] ?? 0) - (prices[j] ?? 0);
        if (cost < (least[j] ?? Infinity)) {
          least[j] = cost;
          before[j] = column;
        }
        if ((least[j] ?? Infinity) < delta) [delta, next] = [least[j] ?? Infinity, j];
      }
      for (let j = 0; j <= columns; j += 1) {
        if (visited[j] === 1) {
          potentials[owner[j] ?? 0] = (potentials[owner[j] ?? 0] ?? 0) + delta;
          prices[j] = (prices[j] ?? 0) - delta;
        } else least[j] = (least[j] ?? 0) - delta;
      }
      column = next;
    } while ((owner[column] ?? 0) !== 0);
    do {
      const previous = before[column] ?? 0;
      owner[column] = owner[previous] ?? 0;
      column = previous;
    } while (column !== 0);
  }
  const chosen = new Array<number>(rows).fill(-1);
  for (let j = 1; j <= columns; j += 1) {
    const row = owner[j] ?? 0;
    if (row > 0) chosen[row - 1] = j - 1;
  }
  return chosen;
}

/**
 * Pairs of two lists with the largest sum of similarities; ties keep the order. Entries with similarity 0 are not
 * paired.
 * @param likeness of the left entry and the right one, 0 to 1
 * @returns indices, sorted by the left one
 */
export function bestPairs(
  left: number,
  right: number,
  likeness: (left: number, right: number) => number,
): [left: number, right: number][] {
  const turned = left > right;
  const [rows, columns] = turned ? [right, left] : [left, right];
  const like = (row: number, column: number): number => (turned ? likeness(column, row) : likeness(row, column));
  // Small enough to decide only ties.
  const near = (row: number, column: number): number => 1e-6 / (1 + Math.abs(row - column));
  const gains = Array.from({ length: rows }, (_, row) =>
    Float64Array.from({ length: columns }, (_entry, column) => {
      const own = like(row, column);
      return own > 0 ? own + near(row, column) : 0;
    }),
  );
  return assignRows(gains, columns)
    .map((column, row): [number, number] => (turned ? [column, row] : [row, column]))
    .filter(([a, b]) => (turned ? (gains[b]?.[a] ?? 0) : (gains[a]?.[b] ?? 0)) > 0)
    .sort(([a], [b]) => a - b);
}
