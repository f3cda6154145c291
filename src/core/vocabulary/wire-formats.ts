/** What a client, or an upstream, speaks. The part before the dash picks the shape of error bodies. */
export const wireFormats = [
  'openai-chat',
  'openai-completions',
  'openai-embeddings',
  'openai-responses',
  'openai-responses-compact',
  'openai-realtime',
  'openai-images',
  'openai-image-edits',
  'openai-speech',
  'openai-transcriptions',
  'openai-translations',
  'openai-moderations',
  'jina-rerank',
  'anthropic-messages',
  'gemini-generate',
  'gemini-embed',
] as const;
export type WireFormat = (typeof wireFormats)[number];

/** The family of a wire format: decides error bodies, keep-alives and the end of a stream. */
export type ApiFamily = 'openai' | 'anthropic' | 'gemini';
export function apiFamilyOf(format: WireFormat): ApiFamily {
  if (format === 'anthropic-messages') return 'anthropic';
  return format === 'gemini-generate' || format === 'gemini-embed' ? 'gemini' : 'openai';
}
