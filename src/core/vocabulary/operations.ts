/** Kinds of work a provider can do. A provider declares an adapter per operation; absent means not supported. */
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
