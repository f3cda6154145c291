/** `turnpike audit list` with the real core (docs/rules/security.md#audit-log). */
import { expect, test } from 'vitest';
import { createLocalTransport } from '../../../src/server/local-client.ts';
import { createTestApp } from '../../support/app.ts';
import { runCli } from '../run-cli.ts';

interface Entry {
  readonly action: string;
  readonly target: string;
  readonly actor_name: string;
  readonly detail: string;
}

test('lists who changed what, by actor, action, target and time', async () => {
  const { app } = await createTestApp();
  const transport = createLocalTransport(app, undefined, 'en');
  const turnpike = (line: string) =>
    runCli(
      line.split(' ').filter((word) => word !== ''),
      { transport },
    );
  await turnpike('options set SystemName Toll');
  await turnpike('options set SMTPToken mail-secret-1');
  await turnpike('channels add --name one --type openai --key sk-secret-1 --models gpt-5.1');
  await turnpike('channels edit 1 --priority 7 --key sk-secret-2');
  const list = async (flags: string) => {
    const reply = await turnpike(`audit list ${flags} --json`);
    return reply.json<{ readonly items: readonly Entry[]; readonly total: number }>().items;
  };
  const [edited, created] = await list('--action channel.');
  expect([edited?.action, created?.action]).toEqual(['channel.update', 'channel.create']);
  expect(edited).toMatchObject({ target: '1', actor_name: 'root' });
  expect(JSON.parse(edited?.detail ?? '')).toEqual({
    name: 'one',
    changes: { key: {}, priority: { from: 0, to: 7 } },
  });
  expect((await list('--target SystemName')).map(({ detail }) => JSON.parse(detail))).toEqual([
    { from: 'New API', to: 'Toll' },
  ]);
  expect((await list('--target SMTPToken')).map(({ detail }) => JSON.parse(detail))).toEqual([
    { changes: { value: {} } },
  ]);
  expect(await list('--actor nobody')).toEqual([]);
  expect((await list('--actor ROOT --since 2020-01-01')).length).toBeGreaterThanOrEqual(4);
  expect(await list('--until 2020-01-01')).toEqual([]);
  const all = await list('');
  expect(await list('--page 2 --page-size 3')).toEqual(all.slice(3, 6));
  expect((await turnpike('audit list --lang en')).stdout).toContain(
    'changed setting System name (SystemName)',
  );
  expect(JSON.stringify(await list(''))).not.toContain('secret');

  await turnpike('channels disable 1');
  await runCli(['users', 'add', '--username', 'bob', '--role', 'admin', '--password-stdin'], {
    transport,
    input: 'a-long-password',
  });
  await turnpike('options set QuotaForNewUser 100000');
  const event = async (words: string) =>
    (await list(`--text ${words}`)).map(({ action }) => action);
  expect(await event('disabled')).toEqual(['channel.update']);
  expect(await event('nothing-of-it')).toEqual([]);
  const { stdout: csv } = await turnpike('audit export --action channel. --lang en');
  const [head, ...rows] = csv.trimEnd().split('\r\n');
  expect(head).toBe('\uFEFFid,time,actor_id,actor,event,change,ip,action,target,detail');
  expect(rows).toHaveLength(3);
  expect(rows[0]).toMatch(/^\d+,[^,]+,1,root,disabled channel one,,[^,]*,channel\.update,1,/);
  const { stdout: chinese } = await runCli(['audit', 'export', '--target', 'QuotaForNewUser'], {
    transport: createLocalTransport(app, undefined, 'zh'),
  });
  expect(chinese).toContain('修改了设置 新用户初始额度（QuotaForNewUser）,$0.00 → $0.20');
  expect((await turnpike('audit list --lang en')).stdout).toContain('added administrator bob');
  expect((await turnpike('audit export')).stdout).not.toContain('secret');
});
