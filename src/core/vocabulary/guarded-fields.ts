const google = ['generationConfig', 'generation_config'] as const;
/** Vertex lets another model reply, named or chosen by how good or cheap it is to be. */
const routing = ['routingConfig', 'routing_config', 'modelConfig', 'model_config'] as const;

/**
 * Request fields that change what a request costs or reveals
 * (docs/rules/channel-rules.md#guarded-fields), by the name of the flag that allows them. They are
 * removed unless that flag is set in the channel's `setting`. Google takes both spellings of a
 * tier. Fallback models (Anthropic's `fallbacks`, OpenRouter's `models`) may reply instead of the
 * model that is charged, and so may one that Vertex chooses. Background responses and xAI's
 * `deferred` chats (https://docs.x.ai/docs/guides/deferred-chat-completions; seen 2026-11-30) are
 * generated after their request was charged, and a later request can fetch them. Anthropic's
 * `billing_policy` says who of an organization pays, and needs the two ids beside it.
 * `stream_options.include_obfuscation` is a member of a field.
 */
export const guardedFields = {
  service_tier: ['service_tier', 'serviceTier'],
  speed: ['speed'],
  inference_geo: ['inference_geo'],
  background: ['background', 'deferred'],
  fallbacks: [
    'fallbacks',
    'models',
    ...google.flatMap((field) => routing.map((member) => `${field}.${member}` as const)),
  ],
  billing_policy: ['billing_policy', 'user_profile_id', 'workspace_id'],
  safety_identifier: ['safety_identifier'],
  include_obfuscation: ['stream_options.include_obfuscation'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type GuardedField = keyof typeof guardedFields;
export const guardedFieldNames = Object.keys(guardedFields) as readonly GuardedField[];

/** Name of the flag in a channel's `setting` that allows the field. */
export function allowing(field: GuardedField): string {
  return `allow_${field}`;
}
