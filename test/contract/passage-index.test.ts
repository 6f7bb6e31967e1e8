import { openPassageIndexes } from "../../functions/adapters/search/open-indexes.ts";
import { openThreadedIndexes } from "../../functions/adapters/search/threaded-indexes.ts";
import { passageIndexSuite } from "./passage-index.suite.ts";

passageIndexSuite("in the function's own thread", () => openPassageIndexes());
passageIndexSuite("in a thread beside the service's", () => openThreadedIndexes());
