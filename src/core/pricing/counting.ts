/** How we counted what a usage row was charged by, for faces that explain it. */
export type Counting = 'images' | 'characters' | 'seconds' | 'text';

interface CountedRow {
  readonly image_count?: unknown;
  readonly usage_source?: unknown;
  readonly request_path?: unknown;
}

/**
 * Undefined: the upstream's figures were charged. Images, speech and recordings have a measure of their own (spec,
 * billing 7); `text` is an estimate, because the upstream told no usage.
 */
export function countingOf(model: string, other: CountedRow): Counting | undefined {
  if (other.image_count !== undefined) return 'images';
  if (other.usage_source !== 'counted') return undefined;
  const path = String(other.request_path ?? '');
  if (path.endsWith('/audio/speech')) return model.startsWith('tts') ? 'characters' : 'seconds';
  return /\/audio\/(transcriptions|translations)$/.test(path) ? 'seconds' : 'text';
}
