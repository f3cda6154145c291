/**
 * One API's channel types: some of its numbers mean other vendors than New API's, which are ours.
 */
import { parseObject } from '../../kernel/json.ts';
import { channelStatuses } from '../../vocabulary/statuses.ts';
import { toTrimmed } from '../convert.ts';
import type { SourceRow } from '../source/source.ts';
import type { DraftRow } from './mapping.ts';

const openai = 1;
const custom = 8;

/** Our number for One API's. Others are the same. */
const types: Readonly<Record<number, number>> = {
  2: openai,
  4: openai,
  5: openai,
  8: openai,
  26: openai,
  27: 35,
  28: 42,
  29: openai,
  30: 4,
  31: 31,
  32: openai,
  33: 33,
  35: 34,
  36: 43,
  37: 39,
  39: openai,
  40: 45,
  42: 41,
  44: 40,
  45: 48,
  47: 46,
  48: openai,
  49: 17,
  50: openai,
  51: 24,
};
/** Vendors that speak OpenAI's API: the address, where the channel has none. */
const addresses: Readonly<Record<number, string>> = {
  2: 'https://oa.api2d.net',
  4: 'https://api.closeai-proxy.xyz',
  5: 'https://api.openai-sb.com',
  26: 'https://api.baichuan-ai.com',
  29: 'https://api.groq.com/openai',
  32: 'https://api.stepfun.com',
  39: 'https://api.together.xyz',
  48: 'https://spark-api-open.xf-yun.com',
};
/** Coze, DeepL, Novita, Proxy, Replicate: to be set up by hand. */
const unsupported = new Set([34, 38, 41, 43, 46]);
/** The member of `config` that becomes `other`. */
const others: Readonly<Record<number, string>> = {
  3: 'api_version',
  17: 'plugin',
  18: 'api_version',
  21: 'library_id',
  24: 'api_version',
  37: 'user_id',
  42: 'region',
};

type Note = (reason: 'type_unsupported' | 'url_shortened' | 'url_check' | 'config_invalid') => void;

/** Changes type, key, address and `other` of a channel of One API to ours. */
export function moveOneApiChannel(row: DraftRow, source: SourceRow, note: Note): void {
  const type = Number(row['type']);
  const configText = toTrimmed(source['config']);
  const config = parseObject(configText) ?? {};
  if (configText !== '' && parseObject(configText) === undefined) note('config_invalid');
  const member = (name: string): string => (typeof config[name] === 'string' ? config[name] : '');
  if (unsupported.has(type)) {
    note('type_unsupported');
    row['type'] = custom;
    row['status'] = channelStatuses.disabled;
    return;
  }
  row['type'] = types[type] ?? (type > 51 ? 0 : type);
  if (row['base_url'] === '') row['base_url'] = addresses[type] ?? '';
  const name = others[type];
  if (name !== undefined && member(name) !== '') row['other'] = member(name);
  if (type === 33 && member('ak') !== '')
    row['key'] = `${member('ak')}|${member('sk')}|${member('region')}`;
  if (type === 42 && member('vertex_ai_adc') !== '') row['key'] = member('vertex_ai_adc');
  if (type === 50) {
    const address = String(row['base_url']).replace(/\/+$/, '');
    note(address.endsWith('/v1') ? 'url_shortened' : 'url_check');
    row['base_url'] = address.replace(/\/v1$/, '');
  }
}
