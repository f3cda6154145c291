/**
 * Words of the model square (docs/rules/console-api.md#model-square): what a model is for, its
 * context, its size.
 */
import type { Language } from './languages.ts';

export const catalogStatuses = { enabled: 1, disabled: 2 } as const;
export const catalogPriceTypes = { free: 1, billed: 2 } as const;

interface ModelTypeWords extends Readonly<Record<Language, string>> {
  /** Lower case. */
  readonly aliases: readonly string[];
}

/**
 * What models are for. Entries may have other types; these are the ones that are known under
 * several words.
 */
export const modelTypes = {
  chat: { zh: '对话', en: 'chat', aliases: ['聊天', '文本', 'text'] },
  image: { zh: '图像', en: 'image', aliases: ['图片', '绘画'] },
  video: { zh: '视频', en: 'video', aliases: [] },
  audio: { zh: '音频', en: 'audio', aliases: ['语音', 'speech'] },
  embedding: { zh: '向量', en: 'embedding', aliases: ['嵌入'] },
  rerank: { zh: '重排', en: 'rerank', aliases: ['重排序'] },
} as const satisfies Record<string, ModelTypeWords>;
export type ModelType = keyof typeof modelTypes;

/** The playgrounds of the console. */
export const playgroundKinds = ['chat', 'image', 'video'] as const;
export type PlaygroundKind = (typeof playgroundKinds)[number];

const typesByWord: ReadonlyMap<string, ModelType> = new Map(
  Object.entries(modelTypes).flatMap(([type, { zh, en, aliases }]) =>
    [zh, en, ...aliases].map((word) => [word, type as ModelType] as const),
  ),
);

/** The known type that a word names, in either language; undefined for any other word. */
export function modelTypeOf(word: string): ModelType | undefined {
  return typesByWord.get(word.trim().toLowerCase());
}

/** The filter offers models with at least this context. */
export const contextSteps = ['8K', '16K', '32K', '128K'] as const;

/** Thousands of tokens in `32K`, `32`, `1M`; undefined: the text says nothing of the kind. */
export function contextSize(text: string): number | undefined {
  const match = /^\s*(\d+(?:\.\d+)?)\s*([km]?)\s*$/i.exec(text);
  if (match === null) return undefined;
  return Number(match[1]) * (match[2]?.toLowerCase() === 'm' ? 1000 : 1);
}

/** Of models whose vendor says nothing of their size; each text means the same. */
export const unpublishedSizes: Readonly<Record<Language, string>> = {
  en: 'Not published',
  zh: '未公布',
};

/** Numbers of parameters that the filter offers. Entries may name others. */
export const specifications = ['MoE', '<10B', '10-50B', '50-100B', '>100B'] as const;

/** The filter offers models published within so many days. */
export const publishDays = [30, 90] as const;
