/** Client formats of everything but conversations, by name. */
import type { WireFormat } from '../../vocabulary/wire-formats.ts';
import { geminiEmbed } from './gemini-embed/index.ts';
import { jinaRerank } from './jina-rerank/index.ts';
import { openAiEmbeddings } from './openai-embeddings/index.ts';
import { openAiImageEdits, openAiImages } from './openai-images/index.ts';
import { openAiModerations } from './openai-moderations/index.ts';
import { openAiSpeech } from './openai-speech/index.ts';
import { openAiTranscriptions, openAiTranslations } from './openai-transcriptions/index.ts';
import type { CallFormat, CallOperation, CallRules } from './shared/call-format.ts';

/** A format of any call; which one is known where its request is read. */
export type AnyCallFormat = { [O in CallOperation]: CallFormat<O> }[CallOperation];

const formats: readonly AnyCallFormat[] = [
  openAiEmbeddings,
  geminiEmbed,
  openAiImages,
  openAiImageEdits,
  openAiSpeech,
  openAiTranscriptions,
  openAiTranslations,
  jinaRerank,
];
const rules: ReadonlyMap<WireFormat, CallRules> = new Map(
  [...formats, openAiModerations].map((one) => [one.format, one] as const),
);

/** Undefined: a conversation, or a format that is known by other means. */
export function callRules(format: WireFormat): CallRules | undefined {
  return rules.get(format);
}

/** Undefined: calls in this format only travel untouched. */
export function callFormat(format: WireFormat): AnyCallFormat | undefined {
  return formats.find((one) => one.format === format);
}
