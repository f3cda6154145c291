/** A real request that lowers the balance below the threshold, and the mail that follows. */
import { expect, it } from 'vitest';
import { startTestGateway } from '../support/gateway.ts';
import { startMailServer } from '../support/mail-server.ts';
import { chatReply, startUpstream } from '../support/upstream.ts';

it('a charge below the threshold is followed by one mail', async () => {
  const mails = await startMailServer();
  const upstream = await startUpstream();
  const gateway = await startTestGateway();
  upstream.answer(chatReply());
  await gateway.addChannel({ type: 1, baseUrl: upstream.url, models: 'gpt-4o' });
  await gateway.set('SMTPServer', '127.0.0.1');
  await gateway.set('SMTPPort', mails.port);
  await gateway.set('SMTPFrom', 'robot@site.test');
  await gateway.set('QuotaRemindThreshold', 20_000);
  const { key, username } = await gateway.addCustomer(26_000);
  const { key: rich } = await gateway.addCustomer(10_000_000);
  const cookie = await signIn(gateway.url, username);
  const setting = { notification_email: 'customer@site.test' };
  await fetch(`${gateway.url}/api/user/setting`, {
    method: 'PUT',
    headers: cookie,
    body: JSON.stringify(setting),
  });
  const ask = async (by: string) => {
    const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${by}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'gpt-4o',
        max_tokens: 500,
        messages: [{ role: 'user', content: 'Hi' }],
      }),
    });
    expect(reply.status).toBe(200);
    await reply.text();
  };
  await ask(rich);
  for (let time = 0; time < 4; time += 1) await ask(key);
  await mails.received(1);
  expect(mails.mails[0]?.to).toEqual(['customer@site.test']);
  await gateway.close();
  expect(mails.mails).toHaveLength(1);
  await Promise.all([upstream.close(), mails.close()]);
});

async function signIn(url: string, username: string): Promise<Record<string, string>> {
  const reply = await fetch(`${url}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: 'customer-password' }),
  });
  const { data } = (await reply.json()) as { data: { id: number } };
  const cookie = reply.headers.get('set-cookie')?.split(';')[0] ?? '';
  return { cookie, 'new-api-user': String(data.id), 'content-type': 'application/json' };
}
