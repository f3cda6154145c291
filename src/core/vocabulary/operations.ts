/**
 * Operations a provider can support. A provider declares an adapter per operation; without one it
 * is not supported.
 */
export const operations = [
  'chat',
  'completion',
  'embedding',
  'moderation',
  'image',
  'image-edit',
  'speech',
  'transcription',
  'translation',
  'rerank',
  'responses',
  'realtime',
] as const;
export type Operation = (typeof operations)[number];
