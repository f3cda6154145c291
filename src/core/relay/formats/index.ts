/** Every format a caller may speak: one line each. */
import type { WireFormat } from '../../vocabulary/wire-formats.ts';
import { anthropicMessages } from './anthropic-messages/index.ts';
import { cohereChat } from './cohere-chat/index.ts';
import { cohereRerank } from './cohere-rerank/index.ts';
import { geminiEmbed } from './gemini-embed/index.ts';
import { geminiGenerate } from './gemini-generate/index.ts';
import { jinaRerank } from './jina-rerank/index.ts';
import { openAiChat } from './openai-chat/index.ts';
import { openAiCompletions } from './openai-completions/index.ts';
import { openAiEmbeddings } from './openai-embeddings/index.ts';
import { openAiImageEdits, openAiImages } from './openai-images/index.ts';
import { openAiModerations } from './openai-moderations/index.ts';
import { openAiRealtime } from './openai-realtime/index.ts';
import { openAiResponses, openAiResponsesCompact } from './openai-responses/index.ts';
import { openAiSpeech } from './openai-speech/index.ts';
import { openAiTranscriptions, openAiTranslations } from './openai-transcriptions/index.ts';
import type { CallerFormat } from './shared/caller-format.ts';

export const callerFormats: Readonly<Record<WireFormat, CallerFormat>> = {
  'openai-chat': openAiChat,
  'openai-completions': openAiCompletions,
  'openai-responses': openAiResponses,
  'openai-responses-compact': openAiResponsesCompact,
  'anthropic-messages': anthropicMessages,
  'gemini-generate': geminiGenerate,
  'openai-embeddings': openAiEmbeddings,
  'gemini-embed': geminiEmbed,
  'openai-images': openAiImages,
  'openai-image-edits': openAiImageEdits,
  'openai-speech': openAiSpeech,
  'openai-transcriptions': openAiTranscriptions,
  'openai-translations': openAiTranslations,
  'openai-moderations': openAiModerations,
  'jina-rerank': jinaRerank,
  'cohere-chat': cohereChat,
  'cohere-rerank': cohereRerank,
  'openai-realtime': openAiRealtime,
};
