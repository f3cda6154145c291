/**
 * Request fields that change what a request costs or reveals
 * (docs/rules/channel-rules.md#guarded-fields), by the name of the flag that allows them. They are
 * removed unless that flag is set in the channel's `setting`. Fallback models (Anthropic's
 * `fallbacks`, OpenRouter's `models`) may reply instead of the model that is charged. Background
 * responses are generated after their request was charged, and a later request can fetch them.
 * Anthropic's `billing_policy` says who of an organization pays, and needs the two ids beside it.
 * `include_obfuscation` is a field of `stream_options`.
 */
export const guardedFields = {
  service_tier: ['service_tier'],
  speed: ['speed'],
  inference_geo: ['inference_geo'],
  background: ['background'],
  fallbacks: ['fallbacks', 'models'],
  billing_policy: ['billing_policy', 'user_profile_id', 'workspace_id'],
  safety_identifier: ['safety_identifier'],
  include_obfuscation: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type GuardedField = keyof typeof guardedFields;
export const guardedFieldNames = Object.keys(guardedFields) as readonly GuardedField[];

/** Name of the flag in a channel's `setting` that allows the field. */
export function allowing(field: GuardedField): string {
  return `allow_${field}`;
}
