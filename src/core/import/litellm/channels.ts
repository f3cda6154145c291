/**
 * Deployments become channels: one for those with the same vendor, address and key
 * (docs/rules/import.md#litellm).
 */
import { isObject, parseObject } from '../../kernel/json.ts';
import type { ImportReason } from '../../vocabulary/import-reasons.ts';
import { channelStatuses } from '../../vocabulary/statuses.ts';
import type { DraftRow, TableMapping } from '../mapping/mapping.ts';
import type { SourceRow } from '../source/source.ts';
import type { Deployment } from './deployments.ts';
import type { OldSettings } from './settings.ts';

/** An address and a key that nothing more is known of. */
const custom = 8;
const bedrock = 33;
const vertex = 41;
const azure = 3;

export type Remark = readonly [reason: ImportReason, example: string];

interface Channel {
  readonly row: DraftRow;
  readonly models: Map<string, string>;
}

export interface OldChannels {
  readonly rows: readonly SourceRow[];
  readonly remarks: readonly Remark[];
  /** By the ids of deployments. */
  readonly ids: ReadonlyMap<string, number>;
}

/** What is of LiteLLM's own work, or said elsewhere in the channel. */
const understood = new Set([
  'model',
  'api_key',
  'api_base',
  'base_url',
  'api_version',
  'organization',
  'order',
  'weight',
  'custom_llm_provider',
  'litellm_credential_name',
  'extra_headers',
  'headers',
  'use_in_pass_through',
  'aws_access_key_id',
  'aws_secret_access_key',
  'aws_region_name',
  'vertex_project',
  'vertex_location',
  'vertex_credentials',
  'input_cost_per_token',
  'output_cost_per_token',
  'cache_read_input_token_cost',
  'cache_creation_input_token_cost',
  'merge_reasoning_content_in_choices',
  'use_litellm_proxy',
  'custom_pricing',
  'tags',
]);

export function channelsOf(
  deployments: readonly Deployment[],
  aliases: ReadonlyMap<string, string>,
  settings: OldSettings,
): OldChannels {
  const channels = new Map<string, Channel>();
  const remarks: Remark[] = [];
  const ids = new Map<string, number>();
  for (const deployment of deployments) {
    const { id, name, model, params, info } = deployment;
    if (typeof info['team_id'] === 'string') {
      remarks.push(['team_model_left_out', name]);
      continue;
    }
    const unused = Object.keys(params).filter((member) => !understood.has(member));
    if (unused.length > 0) remarks.push(['parameters_left_out', `${name}: ${unused.join(', ')}`]);
    if (name.includes('*') || model.includes('*')) {
      remarks.push(['model_pattern_left_out', name]);
      continue;
    }
    const row = rowOf(deployment, settings, remarks);
    const others = [...aliases].filter(([, target]) => target === name).map(([alias]) => alias);
    const channel = roomFor(channels, row, name, model);
    for (const one of [name, ...others]) channel.models.set(one, model);
    if (id !== '') ids.set(id, Number(channel.row['id']));
  }
  const rows = [...channels.values()].map(({ row, models }) => {
    const others = [...models].filter(([name, model]) => name !== model);
    return {
      ...row,
      models: [...models.keys()].sort().join(','),
      model_mapping: others.length === 0 ? '' : JSON.stringify(Object.fromEntries(others)),
    };
  });
  return { rows, remarks, ids };
}

/** The first channel of the same kind in which the name does not stand for another model yet. */
function roomFor(
  channels: Map<string, Channel>,
  row: DraftRow,
  name: string,
  model: string,
): Channel {
  const { name: _, ...kind } = row;
  for (let number = 1; ; number += 1) {
    const key = `${JSON.stringify(kind)} ${number}`;
    const there = channels.get(key);
    if (there === undefined) {
      const added = { row: { id: channels.size + 1, ...row }, models: new Map<string, string>() };
      channels.set(key, added);
      return added;
    }
    if ((there.models.get(name) ?? model) === model) return there;
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

function rowOf(deployment: Deployment, settings: OldSettings, remarks: Remark[]): DraftRow {
  const { name, vendor, known, params, isBlocked, missing } = deployment;
  const given = (textOf(params['api_base']) || textOf(params['base_url'])).replace(/\/+$/, '');
  const address = known?.type === azure ? given : given.replace(/\/v1$/, '');
  if (address !== given) remarks.push(['url_shortened', name]);
  const { key, other } = keyOf(deployment, settings);
  // Who speaks OpenAI's wire at an address of its own needs no type.
  const type = known?.type ?? (address === '' ? custom : 1);
  const isUnknown = known === undefined && address === '';
  if (isUnknown) remarks.push(['type_unsupported', `${name}: ${vendor}`]);
  else if (key === '')
    remarks.push([
      'channel_key_missing',
      missing.length === 0 ? name : `${name}: ${missing.join(', ')}`,
    ]);
  const headers = params['extra_headers'] ?? params['headers'];
  const isUsable = !isBlocked && !isUnknown && key !== '';
  return {
    name: `${vendor} ${name}`.slice(0, 255),
    type,
    key: key || 'missing',
    base_url: address || (known?.address ?? ''),
    other,
    openai_organization: textOf(params['organization']),
    status: isUsable ? channelStatuses.enabled : channelStatuses.disabled,
    weight: integerOf(params['weight']),
    // There the lowest order is tried first.
    priority: params['order'] === undefined ? 0 : -integerOf(params['order']),
    setting: isObject(headers) ? JSON.stringify({ header_override: headers }) : '',
  };
}

const integerOf = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.max(0, Math.round(value)) : 0;

/** The key as the channel's type has it, and its further field. */
function keyOf(
  { vendor, known, params, region, model }: Deployment,
  { variable }: OldSettings,
): { readonly key: string; readonly other: string } {
  const value = (member: string, name = member.toUpperCase()) =>
    textOf(params[member]) || (variable(name) ?? '');
  const type = known?.type;
  if (type === bedrock) {
    const place = region ?? value('aws_region_name', 'AWS_REGION');
    const id = value('aws_access_key_id');
    const secret = value('aws_secret_access_key');
    const single = value('api_key', 'AWS_BEARER_TOKEN_BEDROCK');
    if (place === '') return { key: '', other: '' };
    if (id !== '' && secret !== '') return { key: `${id}|${secret}|${place}`, other: '' };
    return { key: single === '' ? '' : `${single}|${place}`, other: '' };
  }
  if (type === vertex) {
    const given = params['vertex_credentials'];
    const account = isObject(given) ? given : parseObject(value('vertex_credentials'));
    const project = value('vertex_project', 'VERTEXAI_PROJECT');
    const key =
      account === undefined
        ? ''
        : JSON.stringify({ ...account, ...(project !== '' && { project_id: project }) });
    return { key, other: value('vertex_location', 'VERTEXAI_LOCATION') || 'global' };
  }
  const name = `${vendor.toUpperCase()}_API_KEY`;
  const key = textOf(params['api_key']) || (variable(name) ?? '');
  const isOpen = known?.isKeyless === true || (known === undefined && model !== '');
  return {
    key: key === '' && isOpen ? 'none' : key,
    other: type === azure ? value('api_version', 'AZURE_API_VERSION') : '',
  };
}

/** `same`: ids are places in a list, so that only type and key tell a channel. */
export const channelsFrom = ({ remarks }: OldChannels, now: number): TableMapping => ({
  source: 'channels',
  target: 'channels',
  columns: {
    id: { as: 'integer' },
    name: { as: 'text' },
    type: { as: 'integer' },
    key: { as: 'text' },
    base_url: { as: 'text' },
    other: { as: 'text' },
    openai_organization: { as: 'text' },
    status: { as: 'integer' },
    weight: { as: 'integer' },
    priority: { as: 'integer' },
    models: { as: 'text' },
    model_mapping: { as: 'text' },
    setting: { as: 'text' },
  },
  alsoRead: [],
  same: ['type', 'key'],
  figures: [],
  refine(_context, notes) {
    for (const [reason, example] of remarks) notes.add(reason, example);
    return (draft) => ({
      row: {
        ...draft,
        test_model: '',
        max_input_tokens: 0,
        created_time: now,
        test_time: 0,
        response_time: 0,
        balance: 0,
        balance_updated_time: 0,
        group: 'default',
        used_quota: 0,
        auto_ban: 1,
        other_info: '',
        tag: '',
        param_override: '',
      },
    });
  },
});
