/**
 * The second look: another recogniser reads pictures that Tesseract reads doubtfully. It is loaded with the first such
 * picture of a process. Where it cannot be loaded, or fails, Tesseract's reading stays.
 */
import type { GrayImage } from "../../../engine/imaging/gray-image.ts";
import type { ReadWord } from "./tesseract-tsv.ts";

/** A loaded recogniser of whole pictures. */
export interface SecondRecogniser {
  recognize(picture: GrayImage, dpi: number, hasTime: () => boolean): Promise<ReadWord[]>;
}

/** Characters of a fault; longer ones are cut. */
const MAX_FAULT_CHARACTERS = 300;

/** Loads the recogniser of this project's packages. */
const openInstalled = async (): Promise<SecondRecogniser> =>
  (await import("./neural/neural-recogniser.ts")).openNeural();

export class SecondLook {
  readonly #open: () => Promise<SecondRecogniser>;
  #recogniser: Promise<SecondRecogniser> | undefined;
  #fault: string | undefined;

  constructor(open = openInstalled) {
    this.#open = open;
  }

  /** Why there is no second look; undefined while it works. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** @returns undefined where the recogniser cannot be loaded or fails: it is not tried again */
  async read(picture: GrayImage, dpi: number, hasTime: () => boolean): Promise<ReadWord[] | undefined> {
    if (this.#fault !== undefined) return undefined;
    let loaded = false;
    try {
      this.#recogniser ??= this.#open();
      const recogniser = await this.#recogniser;
      loaded = true;
      return hasTime() ? await recogniser.recognize(picture, dpi, hasTime) : undefined;
    } catch (error) {
      // An error while it reads may quote the document.
      const { name, message } = error instanceof Error ? error : new Error(String(error));
      this.#fault = loaded ? `it ended with a ${name}` : message.slice(0, MAX_FAULT_CHARACTERS);
      return undefined;
    }
  }
}
