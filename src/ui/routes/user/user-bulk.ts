/** What can be changed of many users at once. */
import { userStatuses } from '../../../core/vocabulary/statuses.ts';
import { client } from '../../client/api.ts';
import { translate } from '../../i18n/index.ts';
import { wordKey } from '../../i18n/words.ts';
import type { BulkSubject } from '../../list/bulk.ts';

interface UserSubject extends Pick<BulkSubject, 'title' | 'deleteTitle' | 'refresh' | 'onDone'> {
  readonly groups: readonly string[];
  readonly moneyText: (quota: number) => string;
}

const none = { kind: 'none' } as const;

export function userSubject({ groups, moneyText, ...rest }: UserSubject): BulkSubject {
  return {
    ...rest,
    acts: [
      {
        key: 'grant',
        label: translate('bulk.act.grant'),
        control: { kind: 'grant' },
        change: (entry, remark) => ({
          grant: entry,
          ...(remark.trim() === '' ? {} : { remark: remark.trim() }),
        }),
        irrevocable: true,
      },
      {
        key: 'group',
        label: translate('bulk.act.group'),
        control: { kind: 'choice', options: groups },
        change: (entry) => ({ group: entry }),
      },
      {
        key: 'ban',
        label: translate('bulk.act.ban'),
        control: none,
        change: () => ({ status: userStatuses.banned }),
      },
      {
        key: 'unban',
        label: translate('bulk.act.unban'),
        control: none,
        change: () => ({ status: userStatuses.active }),
      },
      {
        key: 'signOut',
        label: translate('bulk.act.signOut'),
        control: none,
        change: () => ({ sign_out: true }),
        irrevocable: true,
      },
    ],
    call: (input) => client.bulk.users(input),
    valueText: (field, value) => {
      if (field === 'status') return translate(wordKey('status.user', Number(value)));
      return field === 'grant' ? moneyText(Number(value)) : undefined;
    },
  };
}
