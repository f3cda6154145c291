/**
 * Keys of Vertex channels: a service account's document, or an API key
 * (docs/rules/providers.md#vertex-keys).
 */

import { textOf } from '../../canonical/kit/read-json.ts';
import type { Call } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import { parseObject } from '../../kernel/json.ts';
import type { VertexSettings } from './settings.ts';

export interface ServiceAccount {
  readonly projectId: string;
  readonly clientEmail: string;
  /** PEM. */
  readonly privateKey: string;
  readonly privateKeyId: string | undefined;
  readonly tokenUri: string;
}

/** The API key, where the channel has one. */
export function apiKeyOf(call: Call<VertexSettings>): string | undefined {
  return call.settings?.vertex_key_type === 'api_key' ? call.key.reveal().trim() : undefined;
}

/**
 * Throws AppError('invalid_channel_key'), which names the field that is missing and never repeats
 * the key.
 */
export function accountOf(call: Call<VertexSettings>): ServiceAccount {
  const document = parseObject(call.key.reveal());
  if (document === undefined)
    throw new AppError('invalid_channel_key', { detail: 'service account JSON' });
  const required = (name: string): string => {
    const value = textOf(document[name]);
    if (value === undefined)
      throw new AppError('invalid_channel_key', { detail: `service account JSON: ${name}` });
    return value;
  };
  return {
    projectId: required('project_id'),
    clientEmail: required('client_email'),
    // Copied out of a program's source or an environment, line breaks come as two characters.
    privateKey: required('private_key').replaceAll('\\n', '\n'),
    privateKeyId: textOf(document.private_key_id),
    tokenUri: textOf(document.token_uri) ?? 'https://oauth2.googleapis.com/token',
  };
}

/** API keys reach Google's own models only. Throws AppError('unsupported_feature'). */
export function refuseApiKey(call: Call<VertexSettings>, model: string): void {
  if (apiKeyOf(call) !== undefined)
    throw new AppError('unsupported_feature', { detail: `${model} (vertex_key_type api_key)` });
}
