/** What can be changed of many channels at once. */
import { channelStatuses } from '../../../core/vocabulary/statuses.ts';
import { client } from '../../client/api.ts';
import { translate } from '../../i18n/index.ts';
import { wordKey } from '../../i18n/words.ts';
import type { BulkAct, BulkSubject } from '../../list/bulk.ts';

const { enabled, disabled } = channelStatuses;

interface ChannelSubject extends Pick<BulkSubject, 'title' | 'deleteTitle' | 'refresh' | 'onDone'> {
  readonly groups: readonly string[];
  readonly models: readonly string[];
}

export function channelSubject({ groups, models, ...rest }: ChannelSubject): BulkSubject {
  const names = (key: string, field: string, options: readonly string[]): BulkAct => ({
    key,
    label: translate(`bulk.act.${key}` as 'bulk.act.addGroups'),
    control: { kind: 'names', options },
    change: (entry) => ({ [field]: entry }),
  });
  const fixed = (key: string, change: object, more: Partial<BulkAct> = {}): BulkAct => ({
    key,
    label: translate(`bulk.act.${key}` as 'bulk.act.enable'),
    control: { kind: 'none' },
    change: () => change,
    ...more,
  });
  const number = (key: 'priority' | 'weight', min?: number): BulkAct => ({
    key,
    label: translate(`bulk.act.${key}`),
    control: { kind: 'number', ...(min !== undefined && { min }) },
    change: (entry) => ({ [key]: entry }),
  });
  return {
    ...rest,
    acts: [
      names('addGroups', 'add_groups', groups),
      names('removeGroups', 'remove_groups', groups),
      names('groups', 'groups', groups),
      names('addModels', 'add_models', models),
      names('removeModels', 'remove_models', models),
      {
        key: 'replaceModel',
        label: translate('bulk.act.replaceModel'),
        control: { kind: 'pair', options: models },
        change: (entry) => ({ replace_model: entry }),
      },
      names('models', 'models', models),
      number('priority'),
      number('weight', 0),
      {
        key: 'tag',
        label: translate('bulk.act.tag'),
        control: { kind: 'text', hint: translate('bulk.tag.hint') },
        change: (entry) => ({ tag: String(entry ?? '').trim() }),
      },
      fixed('autoBanOn', { auto_ban: 1 }),
      fixed('autoBanOff', { auto_ban: 0 }),
      fixed('enable', { status: enabled }),
      fixed('disable', { status: disabled }),
      fixed('delete', { delete: true }, { danger: true, irrevocable: true }),
    ],
    call: (input) => client.bulk.channels(input),
    valueText: (field, value) => {
      if (field === 'status') return translate(wordKey('status.channel', Number(value)));
      if (field === 'auto_ban') return translate(value === 1 ? 'bulk.on' : 'bulk.off');
      return undefined;
    },
  };
}
