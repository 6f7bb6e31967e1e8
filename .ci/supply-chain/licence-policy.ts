/** Licences that packages may have, and the packages that are exceptions. */

/** Permissive licences: they ask for a notice at most. */
export const ALLOWED = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
  "Python-2.0",
  "Unlicense",
]);

/** Packages under a licence that asks for more; NOTICE lists them. */
export interface Exception {
  /** The whole name. */
  packages: RegExp;
  licence: string;
  /** Used in development only. */
  dev?: true;
  why: string;
  source: string;
}

export const EXCEPTIONS: readonly Exception[] = [
  {
    packages: /^@img\/sharp-(libvips-.+|win32-.+|wasm32)$/,
    licence: "LGPL-3.0-or-later",
    why: "libvips and the libraries inside it, unchanged, as a library file of its own that sharp loads and that anyone can replace",
    source: "https://github.com/lovell/sharp-libvips",
  },
  {
    packages: /^lightningcss(-.+)?$/,
    licence: "MPL-2.0",
    dev: true,
    why: "the style sheet compiler of the test runner's bundler, unchanged; no part of a deployment",
    source: "https://github.com/parcel-bundler/lightningcss",
  },
  {
    packages: /^pako$/,
    licence: "Zlib",
    dev: true,
    why: "the compression of a library that benchmarks compare with, unchanged; no part of a deployment",
    source: "https://github.com/nodeca/pako",
  },
  {
    packages: /^@expo-google-fonts\//,
    licence: "OFL-1.1",
    why: "fonts for text in filled forms; the files are unchanged, and documents may embed subsets of them",
    source: "https://github.com/expo/google-fonts",
  },
  {
    packages: /^dejavu-fonts-ttf$/,
    licence: "Bitstream-Vera",
    why: "fonts for text in filled forms; the files are unchanged, and documents may embed subsets of them",
    source: "https://github.com/dejavu-fonts/dejavu-fonts",
  },
];

/** Packages whose manifest states no licence in the form that npm reads, with the one that their files state. */
export const STATED: Record<string, { licence: string; where: string }> = {
  "dejavu-fonts-ttf": { licence: "Bitstream-Vera", where: "its LICENSE, which the manifest refers to" },
  decko: { licence: "MIT", where: "its LICENSE" },
  stickyfill: { licence: "MIT", where: "its LICENSE" },
  "url-template": { licence: "BSD-3-Clause", where: "its LICENSE; the manifest says BSD" },
  jstat: { licence: "MIT", where: "`licenses` of its package.json, and its LICENSE" },
};
