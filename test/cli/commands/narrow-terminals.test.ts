/**
 * Tables stay within the terminal, also with wide characters (docs/rules/command-line.md#output).
 */
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import { createLocalTransport } from '../../../src/server/local-client.ts';
import { createTestApp } from '../../support/app.ts';
import { runCli } from '../run-cli.ts';

const lists = ['users', 'channels', 'tokens', 'redemptions', 'logs', 'ledger', 'audit'];

test('no line of a list is wider than the terminal, and each row says which it is', async () => {
  const { app, operator, addUser } = await createTestApp();
  const long = '一个特别特别长的名字，甲乙丙丁戊己庚辛';
  const userId = await addUser('linxi', { quota: 9_999_999_999 });
  await operator.user.update({ id: userId, display_name: long });
  await operator.channel.create({
    name: long,
    type: 1,
    key: 'k',
    models: 'gpt-5.1',
    group: 'default,vip',
  });
  await operator.userTokens.create({ name: long, user: 'linxi', unlimited_quota: true });
  await operator.redemption.create({ name: '春节活动兑换码', quota: 500_000, count: 2 });
  const row = {
    userId,
    username: 'linxi',
    createdAt: 1_795_000_000,
    modelName: `claude-${'x'.repeat(60)}`,
    quota: toQuota(1234),
  };
  await app.storage.logs.insertMany([{ ...row, type: 2, tokenName: long, content: long }]);
  const transport = createLocalTransport(app, undefined, 'en');
  for (const list of lists)
    for (const columns of [40, 60, 80])
      for (const language of ['en', 'zh']) {
        const { stdout } = await runCli([list, 'list', '--lang', language], { transport, columns });
        const lines = stdout.trimEnd().split('\n');
        expect(lines.length, list).toBeGreaterThan(1);
        const widest = Math.max(...lines.map((line) => stringWidth(line)));
        expect(widest, `${list} at ${columns}:\n${stdout}`).toBeLessThanOrEqual(columns);
      }
});
