import { expect, test } from 'vitest';
import { testPassword } from '../support/app.ts';
import { startTestServer } from './http.ts';

/**
 * Every read and every write that an administrator's day touches, with secrets planted everywhere.
 */
test('a tour of the whole API finds no secret in any reply', async () => {
  const server = await startTestServer();
  const { app, send, addUser, as, operatorKey } = server;
  const ann = await addUser('ann', { quota: 100 });
  const secrets = {
    channelKey: 'sk-planted-channel-key',
    optionSecret: 'planted-option-secret',
    webhookSecret: 'planted-webhook-secret',
    password: testPassword,
    operatorKey,
  };
  await app.storage.users.update(ann, {
    setting: JSON.stringify({ webhook_secret: secrets.webhookSecret }),
  });
  const annToken = await (await as(ann)).token.create({ name: 'of ann' });
  const systemToken = await (await as(ann)).self.systemToken();
  const headers = await server.signIn('root');
  const session = headers.cookie?.replace('session=', '') ?? '';

  const replies: string[] = [];
  const call = async (method: string, path: string, body?: unknown): Promise<void> => {
    const reply = await send(method, path, { headers, body });
    expect([path, reply.status]).toEqual([path, 200]);
    replies.push(`${path} ${reply.text}`);
  };
  const channel = {
    name: 'c',
    type: 1,
    key: secrets.channelKey,
    models: 'm',
    tag: 't',
    base_url: 'http://127.0.0.1:1',
  };
  await call('POST', '/api/channel/', channel);
  await call('PUT', '/api/channel/', { id: 1, key: secrets.channelKey, weight: 1 });
  for (const key of [
    'SMTPToken',
    'GitHubClientSecret',
    'oidc.client_secret',
    'EpayKey',
    'TurnstileSecretKey',
    'TelegramBotToken',
  ]) {
    await call('PUT', '/api/option/', { key, value: secrets.optionSecret });
  }
  await call('POST', '/api/redemption/', { name: 'n', quota: 1, count: 1 });
  for (const path of [
    '/api/status',
    '/api/setup',
    '/api/notice',
    '/api/about',
    '/api/home_page_content',
    '/api/status/test',
    '/api/channel/',
    '/api/channel/?tag_mode=true',
    '/api/turnpike/channel/tags',
    '/api/channel/1',
    '/api/channel/search?keyword=c',
    '/api/channel/models',
    '/api/channel/models_enabled',
    '/api/models',
    '/api/group/',
    '/api/channel/test/1',
    '/api/channel/fetch_models/1',
    '/api/channel/update_balance/1',
    '/api/option/',
    '/api/option/?with_flags=true',
    '/api/user/',
    '/api/user/search?keyword=ann',
    `/api/user/${ann}`,
    '/api/user/self',
    '/api/user/models',
    '/api/user/self/groups',
    '/api/user/groups',
    '/api/user/aff',
    '/api/token/',
    '/api/log/',
    '/api/log/self',
    '/api/log/stat',
    '/api/log/search?keyword=1',
    '/api/data/',
    '/api/data/self',
    '/api/redemption/',
    '/api/redemption/1',
    '/api/pricing',
    '/api/turnpike/overview',
    '/api/turnpike/ledger',
    '/api/turnpike/ledger/self',
    '/api/turnpike/ledger/verify',
    '/api/turnpike/token',
    `/api/turnpike/token/${annToken.id}`,
    '/api/turnpike/channel/types',
    '/api/turnpike/route/explain?model=m',
    '/api/turnpike/log/tail',
    '/users/get/info',
  ]) {
    await call('GET', path);
  }
  await call('POST', '/api/channel/copy/1', {});
  await call('PUT', '/api/channel/tag', { tag: 't', weight: 2 });
  await call('POST', '/api/user/login', { username: 'root', password: testPassword });

  const hash = (await app.accounts.own.get(1)).passwordHash.reveal();
  const hidden = {
    ...secrets,
    annKey: annToken.key,
    systemToken,
    session,
    hash,
    argon: '$argon2id$',
    access: 'accessTokenHash',
  };
  for (const reply of replies) {
    for (const [name, secret] of Object.entries(hidden)) {
      expect(reply.includes(secret), `${name} in ${reply.slice(0, 200)}`).toBe(false);
    }
  }
  const audit = JSON.stringify(await app.storage.auditLogs.page({}, { offset: 0, limit: 1000 }));
  for (const secret of Object.values(hidden)) expect(audit).not.toContain(secret);
});
