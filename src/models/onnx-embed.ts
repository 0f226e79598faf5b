import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../base/errors.ts';
import { type BertTokens, createBertTokens } from './bert-tokens.ts';
import { type Embedder, inBatches, toUnitLength } from './embed.ts';

export interface OnnxOptions {
  /** Holds model.onnx and vocab.txt of a sentence model of the BERT family, such as all-MiniLM-L6-v2. */
  folder: string;
  /** What is imported; only tests and unusual installations say it. */
  runtime?: string;
  maxTokens?: number;
  batchSize?: number;
}

/** The part of onnxruntime-node that is used here. It is not ours to install: its binaries take 290 MB. */
interface OnnxRuntime {
  InferenceSession: { create(path: string): Promise<OnnxSession> };
  Tensor: new (type: 'int64', values: BigInt64Array, dims: number[]) => OnnxTensor;
}

interface OnnxSession {
  inputNames: readonly string[];
  outputNames: readonly string[];
  run(inputs: Record<string, OnnxTensor>): Promise<Record<string, OnnxTensor>>;
}

interface OnnxTensor {
  data: unknown;
  dims: readonly number[];
}

/** A transformer on this machine, for those who want better vectors than the built-in ones and can wait. */
export async function connectOnnx({
  folder,
  runtime = 'onnxruntime-node',
  maxTokens = 256,
  batchSize = 16,
}: OnnxOptions): Promise<Embedder> {
  const { InferenceSession, Tensor } = await importRuntime(runtime);
  const path = join(folder, 'model.onnx');
  const tokens = createBertTokens(readPart(join(folder, 'vocab.txt')).toString('utf8'));
  const version = createHash('sha256').update(readPart(path)).digest('hex').slice(0, 12);
  const session = await InferenceSession.create(path);

  const request = async (batch: string[]): Promise<Float32Array[]> => {
    const { ids, mask, width } = inputsOf(batch, tokens, maxTokens);
    const shape = [batch.length, width];
    const inputs: Record<string, OnnxTensor> = {
      input_ids: new Tensor('int64', ids, shape),
      attention_mask: new Tensor('int64', mask, shape),
    };
    // Some exports want it said that there is one sentence only.
    if (session.inputNames.includes('token_type_ids'))
      inputs.token_type_ids = new Tensor('int64', new BigInt64Array(ids.length), shape);
    const outputs = await session.run(inputs);
    const output =
      outputs.sentence_embedding ?? outputs.last_hidden_state ?? outputs[session.outputNames[0] ?? ''];
    if (output === undefined) throw unfit(path);
    return pooled(output, mask, batch.length, path);
  };
  const [probe] = await request(['dimensions']);
  if (probe === undefined) throw unfit(path);
  return {
    id: `onnx/${version}/${probe.length}`,
    dims: probe.length,
    embed: (texts) => inBatches(texts, batchSize, request),
  };
}

async function importRuntime(specifier: string): Promise<OnnxRuntime> {
  try {
    const module = (await import(specifier)) as OnnxRuntime & { default?: OnnxRuntime };
    return module.default ?? module;
  } catch (cause) {
    throw new AppError('NOT_INSTALLED', `${specifier} is not installed, which the ONNX provider needs`, {
      hint: 'npm install -g onnxruntime-node',
      cause,
    });
  }
}

function readPart(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new AppError('NOT_FOUND', `there is no ${path}`, {
      hint: 'Put model.onnx and vocab.txt of the model into that folder',
      cause,
    });
  }
}

const unfit = (path: string): AppError =>
  new AppError('BACKEND_FAILURE', `${path} gives no sentence vectors`, {
    hint: 'Use the ONNX export of a sentence model such as all-MiniLM-L6-v2',
  });

function inputsOf(
  texts: string[],
  tokens: BertTokens,
  limit: number,
): { ids: BigInt64Array; mask: BigInt64Array; width: number } {
  const rows = texts.map((text) => tokens.encode(text, limit));
  const width = Math.max(...rows.map((row) => row.length));
  const ids = new BigInt64Array(rows.length * width);
  const mask = new BigInt64Array(rows.length * width);
  rows.forEach((row, at) => {
    row.forEach((token, place) => {
      ids[at * width + place] = BigInt(token);
      mask[at * width + place] = 1n;
    });
  });
  return { ids, mask, width };
}

/** Either the model pools by itself, or the mean of its token vectors is taken, without the padding. */
function pooled(output: OnnxTensor, mask: BigInt64Array, count: number, path: string): Float32Array[] {
  const { data, dims } = output;
  if (!(data instanceof Float32Array) || dims[0] !== count) throw unfit(path);
  const [, second = 0, third] = dims;
  if (third === undefined)
    return Array.from({ length: count }, (_, at) => toUnitLength(data.slice(at * second, (at + 1) * second)));
  return Array.from({ length: count }, (_, at) => {
    const sum = new Float32Array(third);
    for (let place = 0; place < second; place++) {
      if (mask[at * second + place] === 0n) continue;
      const from = (at * second + place) * third;
      for (let number = 0; number < third; number++)
        sum[number] = (sum[number] as number) + (data[from + number] as number);
    }
    return toUnitLength(sum);
  });
}
