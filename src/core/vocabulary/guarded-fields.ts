/**
 * Request fields that change what a request costs or reveals (spec, relay 12). They are taken out unless the channel's
 * `setting` lets them go on by a flag: its name → the top-level fields it is for. Fallbacks are answered by another model
 * than the one that is charged: Anthropic's `fallbacks`, OpenRouter's `models`. What is made in the background is made after
 * its request was charged, and can be had by the next one that names it. `include_obfuscation` stands in `stream_options`.
 */
export const guardedFields = {
  service_tier: ['service_tier'],
  speed: ['speed'],
  inference_geo: ['inference_geo'],
  background: ['background'],
  fallbacks: ['fallbacks', 'models'],
  safety_identifier: ['safety_identifier'],
  include_obfuscation: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type GuardedField = keyof typeof guardedFields;
export const guardedFieldNames = Object.keys(guardedFields) as readonly GuardedField[];

/** The flag of a channel's `setting`. */
export function allowing(field: GuardedField): string {
  return `allow_${field}`;
}
