/** Channels of one-hub (model/channel.go, providers/<vendor>/base.go, 2026-02-20). */
import { isObject, parseObject } from '../../kernel/json.ts';
import { channelStatuses } from '../../vocabulary/statuses.ts';
import { toDeletedAt, toTrimmed } from '../convert.ts';
import { channelsMapping } from '../mapping/channels.ts';
import type { DraftRow, TableMapping } from '../mapping/mapping.ts';
import type { SourceRow } from '../source/source.ts';
import { custom, oldTypes, ownAddress, unsupported, withoutParameters } from './channel-types.ts';
import { overrideOf } from './custom-parameter.ts';
import { isMusic, isPattern, listOf, music, nameHere } from './old-site.ts';

const midjourney = 34;

type Note = (reason: 'type_unsupported' | 'model_pattern_left_out', detail: string) => void;

export const channelsOfOneHub: TableMapping = {
  ...channelsMapping,
  alsoRead: [
    'model_headers',
    'custom_parameter',
    'proxy',
    'plugin',
    'deleted_at',
    // How much is counted before a request, and that unknown fields are sent on, as here.
    'pre_cost',
    'allow_extra_body',
  ],
  refine(context, notes) {
    const finish = channelsMapping.refine?.(context, notes);
    return (draft, source) => {
      const named = `${draft['id']} ${draft['name']}`;
      if (toDeletedAt(source['deleted_at']) !== null) {
        notes.add('deleted_there', named);
        return null;
      }
      const row: DraftRow = { ...draft };
      const type = Number(row['type']);
      move(row, type, source, (reason, detail) => notes.add(reason, `${named}: ${detail}`));
      row['model_mapping'] = withoutMarks(String(row['model_mapping']));
      const proxy = toTrimmed(source['proxy']);
      const setting = {
        ...(proxy !== '' && { proxy }),
        // It names the speed as this mode does (providers/midjourney/base.go).
        ...(type === midjourney && { mj_mode: 'filter' }),
      };
      if (Object.keys(setting).length > 0) row['setting'] = JSON.stringify(setting);
      const parameters = parseObject(toTrimmed(source['custom_parameter'])) ?? {};
      const isUnused = withoutParameters.has(type) && parameters['pre_add'] !== true;
      if (isUnused && Object.keys(parameters).length > 0)
        notes.add('parameters_unused', `${named}: ${Object.keys(parameters).join(', ')}`);
      else row['param_override'] = overrideOf(parameters);
      return finish?.(row, { header_override: source['model_headers'] }) ?? null;
    };
  },
};

/** Type, key, address, `other` and models as ours. */
function move(row: DraftRow, type: number, source: SourceRow, note: Note): void {
  const models = listOf(String(row['models']));
  for (const pattern of models.filter(isPattern)) note('model_pattern_left_out', pattern);
  const names = models.filter((name) => !isPattern(name)).map(nameHere);
  if (names.some((name) => isMusic(type, name))) names.push(music);
  row['models'] = [...new Set(names)].join(',');
  const disable = () => {
    row['type'] = custom;
    row['status'] = channelStatuses.disabled;
  };
  const vendor = unsupported[type];
  if (vendor !== undefined) {
    note('type_unsupported', vendor);
    disable();
    return;
  }
  const address = String(row['base_url']).replace(/\/+$/, '');
  // Unknown here, too, and reported so.
  if (oldTypes[type] === undefined && address === '') {
    row['type'] = 0;
    return;
  }
  const known = oldTypes[type] ?? ownAddress;
  row['type'] = known.type;
  row['base_url'] = address || (known.address ?? '');
  if (known.ending !== undefined && row['base_url'] !== '')
    row['base_url'] = `${String(row['base_url']).replace(known.ending, '')}${known.ending}`;
  const plugin = parseObject(toTrimmed(source['plugin'])) ?? {};
  const parts = String(row['key']).split('|');
  switch (type) {
    case 8:
      placeChats(row, plugin);
      break;
    // Its second interface.
    case 15:
      if (isOn(plugin, 'use_openai_api')) row['type'] = 46;
      break;
    case 32: {
      const [region = '', first = '', second, session = ''] = parts;
      if (session !== '') {
        note('type_unsupported', 'Bedrock, session token');
        disable();
      } else if (parts.length > 1)
        row['key'] = [first, ...(second === undefined ? [] : [second]), region].join('|');
      break;
    }
    case 35:
      if (parts.length === 2) [row['other'], row['key']] = [parts[0] ?? '', parts[1] ?? ''];
      break;
    case 42: {
      const [region = '', project = ''] = String(row['other']).split('|');
      const account = parseObject(String(row['key']));
      row['other'] = region;
      // The project of requests is the channel's there and the key's here.
      if (account !== undefined && project !== '')
        row['key'] = JSON.stringify({ ...account, project_id: project });
      break;
    }
  }
}

/**
 * A plugin may say where chats are, behind the address; its names are numbers of kinds of calls
 * (providers/base/common.go).
 */
function placeChats(row: DraftRow, plugin: Readonly<Record<string, unknown>>): void {
  const paths = plugin['customize'];
  const chats = isObject(paths) ? paths['1'] : undefined;
  const path = typeof chats === 'string' && chats !== '' ? chats : '/v1/chat/completions';
  if (path === 'disable') return;
  const address = `${row['base_url']}${path}`;
  const root = address.replace(/\/v1\/chat\/completions$/, '');
  if (root === address) row['type'] = custom;
  row['base_url'] = root;
}

function isOn(plugin: Readonly<Record<string, unknown>>, name: string): boolean {
  const part = plugin[name];
  return isObject(part) && part['enable'] === true;
}

/** A `+` before a name says that the requested one is priced, as it always is here. */
function withoutMarks(text: string): string {
  const mapping = parseObject(text);
  if (mapping === undefined) return text;
  return JSON.stringify(
    Object.fromEntries(
      Object.entries(mapping).map(([name, target]) => [
        name,
        typeof target === 'string' ? target.replace(/^\+/, '') : target,
      ]),
    ),
  );
}
