/** The fonts for text that a form's own font does not have. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Font } from "@cantoo/fontkit";

/** A parsed font, as far as filling asks it. */
export interface FontFile {
  bytes: Uint8Array;
  covers(codePoint: number): boolean;
  /** Ems. */
  ascent: number;
  descent: number;
  capHeight: number;
}

/**
 * In order of trial: Latin, Greek, Cyrillic, Vietnamese and Devanagari; then Hebrew, Arabic and signs; then Chinese and
 * Japanese; then Korean.
 */
export const FALLBACK_FONTS = {
  "NotoSans.ttf": "@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf",
  "DejaVuSans.ttf": "dejavu-fonts-ttf/ttf/DejaVuSans.ttf",
  "NotoSansSC.ttf": "@expo-google-fonts/noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf",
  "NanumGothic.ttf": "@expo-google-fonts/nanum-gothic/400Regular/NanumGothic_400Regular.ttf",
} as const;
export type FallbackFont = keyof typeof FALLBACK_FONTS;

export const FALLBACK_FONT_NAMES = Object.keys(FALLBACK_FONTS) as FallbackFont[];

/** A font's file: in its package, or beside this code in a bundle without packages. */
function fontPath(name: FallbackFont): string | URL {
  try {
    return createRequire(import.meta.url).resolve(FALLBACK_FONTS[name]);
  } catch {
    return new URL(name, import.meta.url);
  }
}

const parsedFonts = new Map<Uint8Array, Font>();

/** The engine that the PDF library embeds fonts with; a font of this module is parsed once for all documents. */
export const sharedFontkit = {
  create(bytes: Uint8Array): Font {
    const font = parsedFonts.get(bytes);
    if (font === undefined) throw new TypeError("Only the fonts of this module are embedded");
    return font;
  },
};

async function loadFont(name: FallbackFont): Promise<FontFile> {
  const bytes = new Uint8Array(await readFile(fontPath(name)));
  // Loaded with the first font: most fills need none, and the engine would make the start of every process longer.
  const { default: fontkit } = await import("@cantoo/fontkit");
  const font = fontkit.create(bytes);
  if (!("unitsPerEm" in font)) throw new TypeError(`${name} is a collection of fonts`);
  parsedFonts.set(bytes, font);
  const { unitsPerEm, ascent, descent, capHeight } = font;
  return {
    bytes,
    covers: (codePoint) => font.hasGlyphForCodePoint(codePoint),
    ascent: ascent / unitsPerEm,
    descent: descent / unitsPerEm,
    capHeight: (capHeight || 0.7 * unitsPerEm) / unitsPerEm,
  };
}

const loads = new Map<FallbackFont, Promise<FontFile>>();

/** A fallback font, read at the first call of the process. */
export function fallbackFont(name: FallbackFont): Promise<FontFile> {
  let load = loads.get(name);
  if (load === undefined) {
    load = loadFont(name).catch((error: unknown) => {
      loads.delete(name);
      throw error;
    });
    loads.set(name, load);
  }
  return load;
}
