/** The blocks of one page of a Textract answer, looked up by id and by relationship. */
import type { Block, BlockType, RelationshipType } from "@aws-sdk/client-textract";
import { checkboxCharacter } from "../../engine/layout/checkbox-characters.ts";

export interface PageBlocks {
  /** Blocks of a type, in the order of the answer. */
  ofType(type: BlockType): Block[];
  all: readonly Block[];
  /** The present blocks of a relationship, in its order. */
  related(block: Block, type: RelationshipType): Block[];
}

export function pageBlocks(blocks: readonly Block[]): PageBlocks {
  const byId = new Map(blocks.map((block) => [block.Id, block]));
  return {
    all: blocks,
    ofType: (type) => blocks.filter((block) => block.BlockType === type),
    related(block, type) {
      const ids = (block.Relationships ?? []).filter((one) => one.Type === type).flatMap((one) => one.Ids ?? []);
      return ids.map((id) => byId.get(id)).filter((found) => found !== undefined);
    },
  };
}

/** Textract's confidence is 0 to 100; here 0 to 1, rounded to four digits. */
export const confidenceOf = ({ Confidence = 0 }: Block): number =>
  Math.round(Math.min(Math.max(Confidence, 0), 100) * 100) / 10_000;

/** The text of a word, the mark of a checkbox; empty for all other blocks. */
export function shownText({ BlockType, Text = "", SelectionStatus }: Block): string {
  if (BlockType === "SELECTION_ELEMENT") return checkboxCharacter(SelectionStatus === "SELECTED");
  return BlockType === "WORD" ? Text.trim() : "";
}
