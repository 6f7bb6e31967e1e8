/** What shows a box that is ticked, or a round one that is chosen, and one that is not. */
const TICKED = "\u2612";
const NOT_TICKED = "\u2610";

export const tickMark = (ticked: boolean): string => (ticked ? TICKED : NOT_TICKED);

export const isTickMark = (text: string): boolean => text === TICKED || text === NOT_TICKED;

/** Characters that show an empty box or circle. */
const FRAME = /^[\u25a1\u25a2\u25ab\u25cb\u25ef\u25fb\u2610\u274f-\u2752\u2b1c\ue000-\uf8ff\ufffd]$/u;

/** Whether a mark's character, where a ticked box is known to stand, shows no more than the box. */
export const showsFrameOnly = (mark: string, shown: string): boolean => mark === TICKED && FRAME.test(shown);
