/** Options of a bench's command line: `--name VALUE`. */

/** The text behind an option; undefined without it. */
export function optionOf(args: readonly string[], name: string): string | undefined {
  const place = args.indexOf(name);
  return place < 0 ? undefined : args[place + 1];
}

/** A number over 0 behind an option. @throws RangeError for any other text */
export function numberOf(args: readonly string[], name: string, fallback: number): number {
  const value = Number(args.includes(name) ? optionOf(args, name) : fallback);
  if (!(value > 0)) throw new RangeError(`${name} must be a number over 0`);
  return value;
}
