/**
 * Other programs that delete or replace the files of a running gateway
 * (docs/rules/ledger.md#replaced-files). They are other processes here, too: a file that this one
 * opened and closed would lose the gateway's locks.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { codeOf } from '../support/app.ts';
import { startTestGateway } from '../support/gateway.ts';
import { chatReply, startUpstream } from '../support/upstream.ts';

const run = promisify(execFile);
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

test.each([
  ['the database is deleted', 'rm "$DB"', 'deleted'],
  ['the database is replaced', 'cp "$DB" x; mv x "$DB"', 'replaced'],
  ['the log is deleted', 'rm "$DB-wal"', 'deleted'],
  ['the log is replaced', 'cp "$DB-wal" x; mv x "$DB-wal"', 'replaced'],
  ['its index is deleted', 'rm "$DB-shm"', 'deleted'],
])(
  '%s: nobody pays or changes anything any more, and everybody is told why',
  async (_, command, word) => {
    const upstream = await startUpstream();
    upstream.answer(chatReply('one two three'));
    const gateway = await startTestGateway();
    opened.push(upstream, gateway);
    await gateway.addChannel({ type: 1, baseUrl: upstream.url, models: 'gpt-4o' });
    const { key } = await gateway.addCustomer(1_000_000);
    const post = async (path: string, headers: Record<string, string>) => {
      const reply = await fetch(gateway.url + path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'accept-language': 'en' },
        body: JSON.stringify({
          model: 'gpt-4o',
          max_tokens: 9,
          messages: [{ role: 'user', content: 'hi' }],
        }),
      });
      return { status: reply.status, body: (await reply.json()) as unknown };
    };
    const chat = () => post('/v1/chat/completions', { authorization: `Bearer ${key}` });
    expect((await chat()).status).toBe(200);

    await run('sh', ['-ec', command], {
      env: { ...process.env, DB: join(gateway.dataDir, 'turnpike.db') },
      cwd: gateway.dataDir,
    });
    const ready = async () => (await fetch(`${gateway.url}/readyz`)).json();
    await expect
      .poll(ready)
      .toMatchObject({ checks: { ledger: false }, reason: 'database_replaced' });

    const before = upstream.requests.length;
    expect(await chat()).toMatchObject({
      status: 503,
      body: { error: { code: 'database_replaced' } },
    });
    const claude = await post('/v1/messages', { 'x-api-key': key });
    const words = expect.stringContaining('deleted or replaced');
    expect(claude).toMatchObject({
      status: 503,
      body: { type: 'error', error: { message: words } },
    });
    expect(upstream.requests.length).toBe(before);
    expect(
      await codeOf(gateway.client.user.create({ username: 'late', password: 'a long password' })),
    ).toBe('database_replaced');
    expect(await codeOf(gateway.client.user.grant({ user_id: 1, quota: 5 }))).toBe(
      'database_replaced',
    );
    expect(await codeOf(gateway.client.ledger.verify())).toBe('database_replaced');
    const { items } = await gateway.client.doctor.examine({});
    expect(items.find(({ id }) => id === 'ledger')).toMatchObject({
      level: 'problem',
      message: expect.stringContaining(word),
    });
  },
);
