/** What can be changed of many tokens at once. */
import { tokenStatuses } from '../../core/vocabulary/statuses.ts';
import { fullTime } from '../hooks/use-time-text.ts';
import { translate } from '../i18n/index.ts';
import { wordKey } from '../i18n/words.ts';
import type { BulkAct, BulkSubject } from './bulk.ts';

interface TokenSubject
  extends Pick<BulkSubject, 'title' | 'deleteTitle' | 'refresh' | 'onDone' | 'call'> {
  readonly groups: readonly string[];
}

export function tokenSubject({ groups, ...rest }: TokenSubject): BulkSubject {
  const fixed = (
    key: 'enable' | 'disable' | 'delete',
    change: object,
    more: Partial<BulkAct> = {},
  ): BulkAct => ({
    key,
    label: translate(`bulk.act.${key}`),
    control: { kind: 'none' },
    change: () => change,
    ...more,
  });
  return {
    ...rest,
    acts: [
      fixed('enable', { status: tokenStatuses.enabled }),
      fixed('disable', { status: tokenStatuses.disabled }),
      {
        key: 'group',
        label: translate('bulk.act.group'),
        control: { kind: 'choice', options: groups },
        change: (entry) => ({ group: entry }),
      },
      {
        key: 'expires',
        label: translate('bulk.act.expires'),
        control: { kind: 'time', hint: translate('bulk.expires.hint') },
        change: (entry) => ({ expired_time: entry }),
      },
      fixed('delete', { delete: true }, { danger: true, irrevocable: true }),
    ],
    valueText: (field, value) => {
      if (field === 'status') return translate(wordKey('status.token', Number(value)));
      // Deleted tokens are counted by their status.
      if (field === 'deleted')
        return translate(wordKey('status.token', Number(String(value).replace('status ', ''))));
      if (field !== 'expired_time') return undefined;
      return Number(value) < 0 ? translate('bulk.never') : fullTime(Number(value));
    },
  };
}
