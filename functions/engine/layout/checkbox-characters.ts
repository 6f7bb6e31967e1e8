/** Characters for checked and unchecked checkboxes and radio buttons. */
const CHECKED_CHARACTER = "\u2612";
const UNCHECKED_CHARACTER = "\u2610";

export const checkboxCharacter = (ticked: boolean): string => (ticked ? CHECKED_CHARACTER : UNCHECKED_CHARACTER);

export const isCheckboxCharacter = (text: string): boolean =>
  text === CHECKED_CHARACTER || text === UNCHECKED_CHARACTER;

/** Characters that show an empty box or circle. */
const EMPTY_BOX_CHARACTER = /^[\u25a1\u25a2\u25ab\u25cb\u25ef\u25fb\u2610\u274f-\u2752\u2b1c\ue000-\uf8ff\ufffd]$/u;

/** Tells whether a character at the place of a checked checkbox shows only the empty box. */
export const showsEmptyBoxOnly = (mark: string, shown: string): boolean =>
  mark === CHECKED_CHARACTER && EMPTY_BOX_CHARACTER.test(shown);
