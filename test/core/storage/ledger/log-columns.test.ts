import { expect, it } from 'vitest';
import { logColumnNames, logValues } from '../../../../src/core/storage/ledger/log-columns.ts';
import type { SettledLog } from '../../../../src/core/storage/ledger/settlement.ts';

const stored = (row: Partial<SettledLog>) => {
  const values = logValues(row);
  return Object.fromEntries(values.map((value, index) => [logColumnNames[index], value]));
};

it('each value stands with its column, and the posting’s id follows them', () => {
  expect(stored({ userId: 7, modelName: 'm', isStream: true, group: 'vip' })).toMatchObject({
    '"user_id"': 7,
    '"model_name"': 'm',
    '"is_stream"': 1,
    '"group"': 'vip',
  });
  expect(logColumnNames).toHaveLength(logValues({}).length + 1);
  expect(logColumnNames.at(-1)).toBe('ledger_id');
});

it('a row of an earlier release takes the defaults of newer columns', () => {
  expect(stored({ userId: 7 })).toMatchObject({
    '"request_id"': '',
    '"is_stream"': 0,
    '"quota"': 0,
  });
});
