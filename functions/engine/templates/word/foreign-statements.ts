/** Statements of other template languages, which run code: a template with one of them is refused. */

const FOREIGN: readonly (readonly [RegExp, string])[] = [
  // A statement ends before the next one begins, so that a text of beginnings alone stays linear.
  [/\{%(?:(?!\{%).)*?%\}|\{\{\s*%[^{}]*\}\}/su, "is a statement of Jinja"],
  [/\{#[^{}]*#\}/u, "is a comment of Jinja"],
  [
    /\+\+\+\s*(?:[=*!]|(?:INS|EXEC|IF|END-IF|FOR|END-FOR|QUERY|ALIAS|IMAGE|LINK|HTML)\b|[\w$.]+\+\+\+).*?(?:\+\+\+|$)/su,
    "is a command between plus signs",
  ],
  [/\{\{\{[^{}]*\}\}\}/u, "asks for raw text in three braces"],
];

/** How each of them begins. */
const BEGINS = /\{[%#{]|\+\+\+/u;

export interface ForeignStatement {
  written: string;
  problem: string;
}

/** The first statement of another language in a paragraph's text; undefined for none. */
export function foreignStatement(text: string): ForeignStatement | undefined {
  if (!BEGINS.test(text)) return undefined;
  for (const [pattern, what] of FOREIGN) {
    const match = pattern.exec(text);
    if (match !== null) return { written: match[0], problem: `${what}, which a template here cannot have` };
  }
  return undefined;
}
