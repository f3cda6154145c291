/**
 * Kinds of requests a channel can be tested with, by New API's names where it has one
 * (docs/rules/routing.md#test-endpoints).
 */
export const endpointTypes = [
  'openai',
  'openai-response',
  'openai-response-compact',
  'anthropic',
  'gemini',
  'completions',
  'embeddings',
  'jina-rerank',
  'image-generation',
  'speech',
  'transcription',
  'moderation',
] as const;
export type EndpointType = (typeof endpointTypes)[number];
