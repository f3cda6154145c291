/** Kinds of requests a channel can be tested with, by the names of the family where it has them (spec, relay 10). */
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
