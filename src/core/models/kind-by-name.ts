/**
 * What models of makers that the catalogue does not know are called for, as far as their names tell.
 * Apart from the catalogue, because the console reads it, too.
 */
import type { ModelType } from '../vocabulary/model-square.ts';
import type { ModelFacts } from './schema.ts';

type ModelKind = NonNullable<ModelFacts['kind']>;

/** The first match wins; names are lower case. */
const kindsByName: readonly (readonly [RegExp, ModelKind])[] = [
  [/rerank/, 'rerank'],
  [/embed|^embo-|bge-|^m3e/, 'embedding'],
  [/moderation/, 'moderation'],
  [/realtime/, 'realtime'],
  [
    /(^|\/)(sora|veo|kling|vidu|runway|gen-?[34]|luma|pixverse)|video|seedance|hailuo|-[ti]2v|wan2/,
    'video',
  ],
  [
    /dall-e|image|imagen|seedream|cogview|wanx|flux|stable-diffusion|(^|\/)sd-?[x\d]|kolors|ideogram|recraft/,
    'image',
  ],
  [/midjourney|^mj_/, 'image'],
  [/whisper|transcri|-asr/, 'transcription'],
  [/(^|\/)tts|-tts|speech|cosyvoice|suno|chirp/, 'speech'],
  [/^gpt-3\.5-turbo-instruct|davinci|babbage/, 'completion'],
];

/** Undefined: the name says nothing, as those of most chat models. */
export function kindByName(model: string): ModelKind | undefined {
  const name = model.toLowerCase();
  return kindsByName.find(([pattern]) => pattern.test(name))?.[1];
}

const typesOfKinds: Readonly<Record<ModelKind, ModelType>> = {
  chat: 'chat',
  completion: 'chat',
  moderation: 'chat',
  realtime: 'chat',
  embedding: 'embedding',
  rerank: 'rerank',
  image: 'image',
  speech: 'audio',
  transcription: 'audio',
  video: 'video',
};

export const typeOfKind = (kind: ModelKind): ModelType => typesOfKinds[kind];

/** What a model is for, as far as its name tells. */
export function guessModelType(model: string): ModelType {
  return typesOfKinds[kindByName(model) ?? 'chat'];
}
