/** Documents for transcription: three pages, and running text with a hyphenated word. */
import { setBlock, setLayout } from "./typeset.ts";

export const sample = setLayout(
  [
    setBlock("Dear Sir", "thank you"),
    setBlock({ text: "Total due", top: 2 }, { text: "12.50", left: 5, top: 2 }, { text: "EUR", left: 6, top: 2 }),
  ],
  [],
  [setBlock("The end")],
);

export const PROSE = [
  "The parties agree that the services are provided as described below and",
  "that every change to them has to be agreed upon by both of the pay-",
  "ing parties.",
];
