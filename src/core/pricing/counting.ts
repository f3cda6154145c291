/** What the gateway counted itself to charge a request, shown with the explanation of its cost. */
export type Counting = 'images' | 'characters' | 'seconds' | 'text';

interface CountedRow {
  readonly image_count?: unknown;
  readonly usage_source?: unknown;
  readonly request_path?: unknown;
}

/**
 * Undefined: the usage that the upstream reported was charged. Images, speech and audio input are
 * measured in their own units (docs/rules/usage-logs.md#counting-explained). `text` is an estimate,
 * because the upstream reported no usage.
 */
export function countingOf(model: string, other: CountedRow): Counting | undefined {
  if (other.image_count !== undefined) return 'images';
  if (other.usage_source !== 'counted') return undefined;
  const path = String(other.request_path ?? '');
  if (path.endsWith('/audio/speech')) return model.startsWith('tts') ? 'characters' : 'seconds';
  return /\/audio\/(transcriptions|translations)$/.test(path) ? 'seconds' : 'text';
}

/**
 * Whether a log row with this parsed `other` was charged per call, whatever it used. One API and
 * New API write −1 for "no price per call", and 0 in both fields for a model that is free per call.
 */
export function isFixedPrice(other: Readonly<Record<string, unknown>>): boolean {
  const { model_price: perCall, model_ratio: ratio } = other;
  if (typeof perCall !== 'number' || !(perCall >= 0 && Number.isFinite(perCall))) return false;
  return perCall > 0 || !(typeof ratio === 'number' && ratio > 0);
}
