import { openOpenAi } from "../../functions/adapters/openai/language-model.ts";
import { modelSuite } from "./model.suite.ts";

modelSuite("openai", openOpenAi);
