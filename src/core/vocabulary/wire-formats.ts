/**
 * Formats of requests and replies of clients and upstreams. Each caller's format is declared in
 * `relay/formats`.
 */
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
  'cohere-chat',
  'cohere-rerank',
  'anthropic-messages',
  'gemini-generate',
  'gemini-embed',
] as const;
export type WireFormat = (typeof wireFormats)[number];
