/**
 * No page makes a call by showing its address as a picture, a style sheet or a frame
 * (docs/security.md#embedded-calls).
 */
import { describe, expect, it, test } from 'vitest';
import type { Endpoint } from '../../src/core/contract/endpoint.ts';
import { api } from '../../src/core/contract/index.ts';
import { startTestServer } from '../server/http.ts';

const calls = (Object.values(api) as Record<string, Endpoint>[])
  .flatMap((group) => Object.values(group))
  .filter(({ method, path }) => method === 'GET' && !path.startsWith('/pg/'));

describe('calls', () => {
  test.each([
    'image',
    'style',
    'script',
    'iframe',
    'video',
    'audio',
    'font',
    'object',
    'embed',
    'track',
    'manifest',
  ])('are not made as: %s', async (purpose) => {
    const { send, signIn } = await startTestServer();
    const credentials = await signIn('root');
    const headers = {
      ...credentials,
      'sec-fetch-dest': purpose,
      'sec-fetch-site': 'same-origin',
      'sec-fetch-mode': 'no-cors',
    };
    const replies = await Promise.all(
      calls.map(({ path }) => send('GET', path.replaceAll(/[:*]\w+/g, '1'), { headers })),
    );
    expect(
      replies.filter(({ status, json }) => status !== 403 || json['code'] !== 'cross_site_request'),
    ).toEqual([]);
    // Nobody was signed out meanwhile.
    expect((await send('GET', '/api/user/self', { headers: credentials })).json['success']).toBe(
      true,
    );
  });

  it('are made by scripts, opened as a page, and by programs', async () => {
    const { send, signIn } = await startTestServer();
    const credentials = await signIn('root');
    const ways: Record<string, string>[] = [
      { 'sec-fetch-dest': 'empty' },
      { 'sec-fetch-dest': 'document' },
      {},
    ];
    for (const headers of ways)
      expect(
        (await send('GET', '/api/user/self', { headers: { ...credentials, ...headers } })).json[
          'success'
        ],
      ).toBe(true);
  });

  it('by paths that are no calls of the contract, too', async () => {
    const { send } = await startTestServer();
    const headers = { 'sec-fetch-dest': 'image', 'sec-fetch-site': 'same-origin' };
    for (const path of ['/api/oauth/telegram/bind?id=1', '/public/nothing', '/users/nothing'])
      expect([path, (await send('GET', path, { headers })).status]).toEqual([path, 403]);
  });
});
