/**
 * Where Vertex is called: by region, publisher and model
 * (docs/rules/providers.md#vertex-addresses).
 */

import { textOf } from '../../canonical/kit/read-json.ts';
import type { Call } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import { parseObject } from '../../kernel/json.ts';
import { vertexFields } from './fields.ts';
import { accountOf, apiKeyOf } from './key.ts';
import type { VertexSettings } from './settings.ts';

export type VertexCall = Call<VertexSettings>;

type Publisher = 'google' | 'anthropic';

const everywhere = 'global';

/**
 * The call with its region as `other`. A channel names one for all, or a map by the model's name as
 * the caller wrote it; `requested` is that name.
 */
export function withRegion(call: VertexCall, requested: string | undefined): VertexCall {
  const other = call.other.trim();
  const map = parseObject(other);
  const region =
    map === undefined
      ? other
      : (textOf(map[requested ?? '']) ?? textOf(map[call.model]) ?? textOf(map.default));
  return { ...call, other: region === undefined || region === '' ? everywhere : region };
}

/** A region becomes part of a host name. */
const regionPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Throws AppError('channel_other_invalid'). */
function checkRegion(region: string): void {
  if (!regionPattern.test(region))
    throw new AppError('channel_other_invalid', { field: vertexFields.other.label.en });
}

/**
 * A channel names one region, or maps models to regions with a `default`. Throws AppError
 * channel_region_required, channel_other_invalid.
 */
export function checkRegions(other: string): void {
  const map = parseObject(other);
  if (other === '' || (map !== undefined && typeof map.default !== 'string'))
    throw new AppError('channel_region_required');
  for (const region of map === undefined ? [other] : Object.values(map))
    checkRegion(textOf(region) ?? '');
}

/**
 * `call` is placed. Throws AppError('channel_other_invalid') for an imported channel whose region
 * is none.
 */
function hostOf({ baseUrl, other: region }: VertexCall): string {
  if (baseUrl !== '') return baseUrl;
  checkRegion(region);
  if (region === everywhere) return 'https://aiplatform.googleapis.com';
  if (region === 'us' || region === 'eu') return `https://aiplatform.${region}.rep.googleapis.com`;
  return `https://${region}-aiplatform.googleapis.com`;
}

/** Project and region as the path has them. Throws AppError('invalid_channel_key'). */
function locationOf(call: VertexCall): string {
  return `projects/${encodeURIComponent(accountOf(call).projectId)}/locations/${encodeURIComponent(call.other)}`;
}

/** An id's date stands behind an at sign, which paths may hold. */
function segment(id: string): string {
  return encodeURIComponent(id).replaceAll('%40', '@');
}

/** `call` is placed; `query` without its question mark. Throws AppError('invalid_channel_key'). */
export function modelAddress(
  call: VertexCall,
  publisher: Publisher,
  id: string,
  action: string,
  query = '',
): string {
  const model = `publishers/${publisher}/models/${segment(id)}:${action}`;
  const apiKey = apiKeyOf(call);
  const pairs = [query, apiKey === undefined ? '' : `key=${encodeURIComponent(apiKey)}`].filter(
    (pair) => pair !== '',
  );
  const path = apiKey === undefined ? `${locationOf(call)}/${model}` : model;
  return `${hostOf(call)}/v1/${path}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`;
}

/** The address of chat completions for models of other makers. `call` is placed. */
export function openApiAddress(call: VertexCall): string {
  return `${hostOf(call)}/v1beta1/${locationOf(call)}/endpoints/openapi/chat/completions`;
}

/** Whose project is charged. Throws AppError('invalid_channel_key'). */
export function projectHeaders(call: VertexCall): Record<string, string> {
  return apiKeyOf(call) === undefined ? { 'x-goog-user-project': accountOf(call).projectId } : {};
}
