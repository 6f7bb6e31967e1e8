/** A schema's regular expressions, run only where their time is bounded: they come from outside. */

/** Longest text that a schema's pattern is tried on. */
export const PATTERN_INPUT = 120;
const PATTERN_LENGTH = 300;
/** Unbounded repeats in one pattern; n of them cost up to PATTERN_INPUT^n steps. */
const REPEATS = 3;

/** Refuses what may backtrack exponentially: a repeated group that itself repeats or chooses, and back references. */
function isBounded(source: string): boolean {
  if (source.length > PATTERN_LENGTH || /\\[1-9]|\\k<|\(\?<?[=!]/.test(source)) return false;
  // Classes and escapes as single letters, so that only the structure is left.
  const bare = source.replace(/\\./g, "a").replace(/\[\^?\]?[^\]]*\]/g, "a");
  const unbounded = /[*+]|\{\d+,\}|\{\d*,?\d{2,}\}/g;
  if ((bare.match(unbounded) ?? []).length > REPEATS) return false;
  const open: number[] = [];
  for (let at = 0; at < bare.length; at += 1) {
    if (bare[at] === "(") open.push(at);
    if (bare[at] !== ")") continue;
    const from = open.pop();
    if (from === undefined) return false;
    const inside = bare.slice(from + 1, at);
    const repeated = /^(?:[*+]|\{\d+(?:,\d*)?\})/.test(bare.slice(at + 1));
    if (repeated && /[*+{|]|\?(?!:)/.test(inside)) return false;
  }
  return open.length === 0;
}

/**
 * Compiles a schema's `pattern`.
 * @returns a test that is false for text over PATTERN_INPUT, or null where the pattern is invalid or not bounded
 */
export function safePattern(source: string): ((text: string) => boolean) | null {
  if (!isBounded(source)) return null;
  let compiled: RegExp;
  try {
    compiled = new RegExp(source, "u");
  } catch {
    return null;
  }
  return (text) => text.length <= PATTERN_INPUT && compiled.test(text);
}

/** True for a pattern that hardly anything matches by chance: anchored at both ends, with digits or a literal word. */
export const isSelective = (source: string): boolean =>
  source.startsWith("^") &&
  source.endsWith("$") &&
  /\\d|\[0-9|\w{3,}/.test(source.replace(/\{[\d,]+\}/g, "")) &&
  source.length >= 8;
