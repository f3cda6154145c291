import { expect, test } from 'vitest';
import { chatClientLink } from '../../../../src/ui/routes/chat-redirect/chat-client-link.ts';

/** For the address in the option ChatLink2. */
const values = { key: 'sk-abc', address: 'https://gate.example/a&b' };

test('puts key and address into the settings of the client', () => {
  const link = chatClientLink(' https://next.example/app/ ', values);
  expect(link).toMatch(/^https:\/\/next\.example\/app\/#\/\?settings=/);
  expect(JSON.parse(decodeURIComponent(link?.split('settings=')[1] ?? ''))).toEqual({
    key: 'sk-abc',
    url: values.address,
  });
});

test.each(['', 'next.example', 'javascript:alert(1)', 'data:text/html,x', 'ftp://next.example'])(
  'leads nowhere for %j',
  (client) => {
    expect(chatClientLink(client, values)).toBeNull();
  },
);
