/**
 * Characters of symbol fonts as Unicode. Word and PowerPoint write them in the private use area (U+F0xx, xx the byte in
 * the font) or as that byte. The tables hold the fonts' own character sets, as far as documents use them.
 */

/** Wingdings: boxes, check marks, arrows and bullets. */
const WINGDINGS: Readonly<Record<number, string>> = {
  33: "✏",
  34: "✂",
  40: "☎",
  41: "✆",
  42: "✉",
  54: "⌛",
  55: "⌨",
  62: "✇",
  63: "✍",
  70: "☞",
  74: "☺",
  76: "☹",
  108: "●",
  109: "❍",
  110: "■",
  111: "□",
  112: "□",
  113: "❑",
  114: "❒",
  115: "⬧",
  116: "⧫",
  117: "◆",
  118: "❖",
  119: "⬥",
  158: "·",
  159: "•",
  160: "▪",
  161: "○",
  164: "◉",
  167: "▪",
  168: "◻",
  170: "✦",
  171: "★",
  216: "➢",
  223: "←",
  224: "→",
  225: "↑",
  226: "↓",
  232: "➔",
  240: "⇨",
  251: "✗",
  252: "✓",
  253: "☒",
  254: "☑",
};

/** Wingdings 2, the source of check marks in forms. */
const WINGDINGS_2: Readonly<Record<number, string>> = {
  79: "✗",
  80: "✓",
  81: "☒",
  82: "☑",
  83: "☒",
  84: "☒",
  151: "●",
  152: "•",
  162: "■",
  163: "□",
};

/** Symbol: Greek and mathematics. */
const SYMBOL: Readonly<Record<number, string>> = {
  45: "−",
  64: "≅",
  65: "Α",
  66: "Β",
  67: "Χ",
  68: "Δ",
  69: "Ε",
  70: "Φ",
  71: "Γ",
  72: "Η",
  73: "Ι",
  75: "Κ",
  76: "Λ",
  77: "Μ",
  78: "Ν",
  79: "Ο",
  80: "Π",
  81: "Θ",
  82: "Ρ",
  83: "Σ",
  84: "Τ",
  85: "Υ",
  87: "Ω",
  88: "Ξ",
  89: "Ψ",
  90: "Ζ",
  97: "α",
  98: "β",
  99: "χ",
  100: "δ",
  101: "ε",
  102: "φ",
  103: "γ",
  104: "η",
  105: "ι",
  107: "κ",
  108: "λ",
  109: "μ",
  110: "ν",
  111: "ο",
  112: "π",
  113: "θ",
  114: "ρ",
  115: "σ",
  116: "τ",
  117: "υ",
  119: "ω",
  120: "ξ",
  121: "ψ",
  122: "ζ",
  162: "′",
  163: "≤",
  165: "∞",
  174: "→",
  172: "←",
  176: "°",
  177: "±",
  178: "″",
  179: "≥",
  180: "×",
  183: "•",
  184: "÷",
  185: "≠",
  186: "≡",
  187: "≈",
  188: "…",
  210: "®",
  211: "©",
  212: "™",
  214: "√",
  226: "®",
  227: "©",
  228: "™",
  229: "∑",
  242: "∫",
};

function fontTable(font: string): Readonly<Record<number, string>> | undefined {
  if (/^wingdings 2$/i.test(font)) return WINGDINGS_2;
  if (/^wingdings$/i.test(font)) return WINGDINGS;
  return /^symbol$/i.test(font) ? SYMBOL : undefined;
}

/** A character of a symbol font; undefined for other fonts, and for a character outside its table. */
export function symbolOf(code: number, font: string): string | undefined {
  const byte = code >= 0xf000 && code <= 0xf0ff ? code - 0xf000 : code;
  return fontTable(font)?.[byte];
}

const PRIVATE_USE = /[\ue000-\uf8ff]/g;

/** A list's bullet in its font; characters outside the tables become bullets. */
export const bulletOf = (text: string, font: string): string =>
  [...text]
    .map((character) => symbolOf(character.codePointAt(0) ?? 0, font) ?? character)
    .join("")
    .replace(PRIVATE_USE, "•");

/** Replaces private characters by those of a symbol font; other text stays. */
export const plainSymbols = (text: string, font: string): string =>
  text.replace(PRIVATE_USE, (character) => symbolOf(character.charCodeAt(0), font) ?? character);
