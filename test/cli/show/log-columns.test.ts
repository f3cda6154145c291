import { expect, it } from 'vitest';
import { logColumns } from '../../../src/cli/show/columns.ts';
import type { View } from '../../../src/cli/show/table.ts';
import type { LogEntity } from '../../../src/core/contract/entities.ts';

const view = {
  language: 'en',
  now: 1_700_000_000,
  money: { cost: (quota: number) => `$${quota}` },
} as unknown as View;

const row: LogEntity = {
  id: 1,
  user_id: 1,
  created_at: 1_700_000_000,
  type: 2,
  content: '',
  username: 'ann',
  token_name: 'main',
  model_name: 'm',
  quota: 7,
  prompt_tokens: 10,
  completion_tokens: 5,
  use_time: 1,
  is_stream: true,
  channel: 3,
  channel_name: '',
  token_id: 1,
  group: 'default',
  other: '',
  request_id: '',
  tags: '',
};

function cells(change: Partial<LogEntity>, other: object): Record<string, string> {
  const shown = { ...row, ...change, other: JSON.stringify(other) };
  return Object.fromEntries(
    logColumns.map(({ title, value }) => [title.en, value(shown, view)] as const),
  );
}

it('a request has its input with caches and exact seconds, as the console shows them', () => {
  const other = { claude: true, cache_tokens: 900, cache_creation_tokens: 50, use_ms: 842 };
  expect(cells({}, { ...other, is_test: true })).toMatchObject({
    in: '960',
    out: '5',
    s: '0.84',
    cost: '$7',
    note: 'test',
  });
});

it('a failed request has its duration and cause, and no cost; a top-up has its amount', () => {
  const failed = { type: 5, quota: 0, content: 'overloaded' };
  expect(cells(failed, { status_code: 503 })).toMatchObject({
    in: '',
    s: '1',
    cost: '',
    note: '503 overloaded',
  });
  expect(cells({ type: 1, model_name: '', content: 'redeemed' }, {})).toMatchObject({
    s: '',
    cost: '$7',
    note: 'redeemed',
  });
});
