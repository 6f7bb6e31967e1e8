/** The lines on which the values of a JSON text begin, for messages about a file. */

/** A token of JSON: a string, a bracket, or a number or word. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s[\]{}:,"]+/g;

interface Container {
  pointer: string;
  isList: boolean;
  index: number;
  name: string;
  expectsName: boolean;
}

/**
 * @param text valid JSON
 * @returns by pointer (names joined by `/`, not escaped), the line of each member, from 1; "" is the whole
 */
export function linesOfJson(text: string): Map<string, number> {
  const lines = new Map<string, number>();
  const open: Container[] = [];
  let line = 1;
  let last = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    line += text.slice(last, index).split("\n").length - 1;
    last = index;
    const inside = open.at(-1);
    if (token === "]" || token === "}") open.pop();
    else if (token === ",") {
      if (inside !== undefined) Object.assign(inside, { index: inside.index + 1, expectsName: !inside.isList });
    } else if (token === ":") {
      if (inside !== undefined) inside.expectsName = false;
    } else if (inside?.expectsName === true) {
      inside.name = JSON.parse(token) as string;
      lines.set(`${inside.pointer}/${inside.name}`, line);
    } else {
      const pointer = inside === undefined ? "" : `${inside.pointer}/${inside.isList ? inside.index : inside.name}`;
      if (!lines.has(pointer)) lines.set(pointer, line);
      if (token === "[" || token === "{")
        open.push({ pointer, isList: token === "[", index: 0, name: "", expectsName: token === "{" });
    }
  }
  return lines;
}
