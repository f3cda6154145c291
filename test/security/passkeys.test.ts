/**
 * A passkey speaks for its own user only (docs/rules/accounts.md#passkeys; Web Authentication Level
 * 3, section 7.2, step 6).
 */
import { expect, test } from 'vitest';
import { startTestServer } from '../server/http.ts';
import { createSoftwarePasskey } from '../support/software-passkey.ts';

const origin = 'https://gw.example';
const own = '/api/turnpike/self/second-factor';
const handle = (text: string) => Buffer.from(text).toString('base64url');

async function start() {
  const server = await startTestServer();
  await server.operator.option.set({ key: 'ServerAddress', value: origin });
  const ann = await server.addUser('ann');
  await server.addUser('bob');
  const headers = await server.signIn('ann');
  const passkey = createSoftwarePasskey();
  const ask = async (path: string, body: object = {}) =>
    (await server.send('POST', path, { headers, body })).json.data as Record<string, unknown>;
  const body = { passkey: passkey.register(await ask(`${own}/passkey/options`), origin), name: '' };
  await server.send('POST', `${own}/passkey`, { headers, body });
  return { ...server, ann, headers, passkey, ask };
}

test('a login whose answer names another user, or nobody, is refused', async () => {
  const { send, passkey, ask, ann } = await start();
  const logIn = async (userHandle?: string | null) => {
    const options = await ask('/api/turnpike/sign-in/passkey/options');
    const flags = userHandle === undefined ? {} : { userHandle };
    const body = { passkey: passkey.answer(options, origin, flags) };
    const { json } = await send('POST', '/api/turnpike/sign-in/passkey', { body });
    return json.success === true ? 'in' : json.code;
  };
  for (const wrong of [
    handle('user:3'),
    handle('user:1'),
    handle('user:'),
    handle('3'),
    handle('x'),
    '',
    null,
  ])
    expect([wrong, await logIn(wrong)]).toEqual([wrong, 'passkey_invalid']);
  expect(await logIn()).toBe('in');
  // New API's handle, of passkeys that are imported.
  expect(await logIn(handle(String(ann)))).toBe('in');
});

test('a second step and a confirmation may leave it out, and may not name another user', async () => {
  const { send, headers, passkey, ask } = await start();
  const confirm = async (userHandle?: string | null) => {
    const options = await ask('/api/turnpike/self/step-up/options');
    const flags = userHandle === undefined ? {} : { userHandle };
    const body = { passkey: passkey.answer(options, origin, flags) };
    const { json } = await send('POST', '/api/turnpike/self/step-up', { headers, body });
    return json.success === true ? 'confirmed' : json.code;
  };
  expect(await confirm(handle('user:3'))).toBe('passkey_invalid');
  expect(await confirm(null)).toBe('confirmed');
  expect(await confirm()).toBe('confirmed');
});
