import { parseObject } from '../../kernel/json.ts';
import { fingerprint, listKeys } from '../../upstream/channel-keys.ts';
import { channelTypeInfo } from '../../vocabulary/channel-types.ts';
import { type DisabledKey, writeDisabledKeys } from '../../vocabulary/disabled-keys.ts';
import { channelStatuses } from '../../vocabulary/statuses.ts';
import { toTrimmed } from '../convert.ts';
import type { DraftRow, TableMapping } from './mapping.ts';
import { moveNewApiChannel } from './new-api-channels.ts';
import { moveOneApiChannel } from './one-api-channels.ts';

/** The type of an address and key that nothing more is known of. */
const customType = 8;

export const channelsMapping: TableMapping = {
  source: 'channels',
  target: 'channels',
  columns: {
    id: { as: 'integer' },
    type: { as: 'int32' },
    key: { as: 'trimmed' },
    openai_organization: { as: 'trimmed' },
    test_model: { as: 'trimmed' },
    // Releases up to 0.6 have it.
    max_input_tokens: { as: 'integer' },
    status: { as: 'int32', missing: channelStatuses.enabled },
    name: { as: 'trimmed' },
    weight: { as: 'integer' },
    created_time: { as: 'integer' },
    test_time: { as: 'integer' },
    response_time: { as: 'integer' },
    base_url: { as: 'trimmed' },
    other: { as: 'trimmed' },
    balance: { as: 'decimal' },
    balance_updated_time: { as: 'integer' },
    models: { as: 'trimmed' },
    group: { as: 'trimmed', missing: 'default' },
    used_quota: { as: 'integer' },
    model_mapping: { as: 'json' },
    status_code_mapping: { as: 'json' },
    priority: { as: 'integer' },
    auto_ban: { as: 'flag', missing: 1 },
    other_info: { as: 'json' },
    tag: { as: 'trimmed' },
    setting: { as: 'json' },
    param_override: { as: 'json' },
  },
  alsoRead: [
    'config',
    'system_prompt',
    'channel_info',
    'header_override',
    'open_ai_organization',
    'settings',
  ],
  same: ['created_time'],
  figures: ['used_quota'],
  refine({ family }, notes) {
    return (draft, source) => {
      const named = `${draft['id']} ${draft['name']}`;
      const row: DraftRow = { ...draft };
      row['name'] = String(row['name']) || `channel ${row['id']}`;
      row['openai_organization'] =
        String(row['openai_organization']) || toTrimmed(source['open_ai_organization']);
      // New API has a second column of the same kind.
      const setting: Record<string, unknown> = {
        ...parseObject(toTrimmed(source['settings'])),
        ...parseObject(String(row['setting'])),
      };
      if (family === 'oneapi') moveOneApiChannel(row, source, (reason) => notes.add(reason, named));
      const vendor = family === 'newapi' ? moveNewApiChannel(row) : undefined;
      if (vendor !== undefined) notes.add('type_unsupported', `${named}: ${vendor}`);
      const prompt = toTrimmed(source['system_prompt']);
      if (prompt !== '') setting['system_prompt'] = prompt;
      const headers = parseObject(toTrimmed(source['header_override']));
      if (headers !== undefined && Object.keys(headers).length > 0)
        setting['header_override'] = headers;
      const info = parseObject(toTrimmed(source['channel_info']));
      if (info?.['is_multi_key'] === true) carryKeys(row, info, setting);
      if (channelTypeInfo(Number(row['type'])) === undefined) {
        notes.add('type_unknown', `${named}: ${row['type']}`);
        row['type'] = customType;
        row['status'] = channelStatuses.disabled;
      }
      row['setting'] = Object.keys(setting).length === 0 ? '' : JSON.stringify(setting);
      return { row };
    };
  },
};

/** Several keys in one channel, with the states that New API keeps by their position. */
function carryKeys(
  row: DraftRow,
  info: Readonly<Record<string, unknown>>,
  setting: Record<string, unknown>,
): void {
  setting['multi_key_mode'] = info['multi_key_mode'] === 'polling' ? 'polling' : 'random';
  const text = String(row['key']);
  const keys = listKeys(text, text.startsWith('['));
  const byPosition = (name: string): Readonly<Record<string, unknown>> => {
    const value = info[name];
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  };
  const reasons = byPosition('multi_key_disabled_reason');
  const times = byPosition('multi_key_disabled_time');
  const disabled = new Map<string, DisabledKey>();
  for (const [position, status] of Object.entries(byPosition('multi_key_status_list'))) {
    const key = keys[Number(position)];
    if (key === undefined || status === channelStatuses.enabled) continue;
    disabled.set(fingerprint(key), {
      reason: String(reasons[position] ?? ''),
      time: Number(times[position] ?? 0),
    });
  }
  if (disabled.size > 0) row['other_info'] = writeDisabledKeys(String(row['other_info']), disabled);
}
