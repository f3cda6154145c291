import { expect, test } from 'vitest';
import { createClientAddress } from '../../../src/core/config/client-address.ts';

const find = (trusted: string[], socket: string | undefined, header?: string) =>
  createClientAddress(trusted, () => {}).find(socket, header);

test.each([
  ['nobody is trusted by default', [], '127.0.0.1', '1.2.3.4', '127.0.0.1'],
  ['a trusted peer speaks for the client', ['127.0.0.1'], '::ffff:127.0.0.1', '1.2.3.4', '1.2.3.4'],
  [
    'right-most entry that is not trusted',
    ['private'],
    '10.0.0.1',
    '6.6.6.6, 1.2.3.4, 192.168.1.1',
    '1.2.3.4',
  ],
  ['an untrusted peer’s header is nothing', ['10.0.0.0/8'], '1.2.3.4', '10.0.0.1', '1.2.3.4'],
  ['nonsense in the header ends the walk', ['private'], '10.0.0.1', '1.2.3.4, unknown', '10.0.0.1'],
  ['ports are cut', ['::1'], '::1', '[2001:db8::1]:443', '2001:db8::1'],
  ['no header', ['private'], '10.0.0.1', undefined, '10.0.0.1'],
  ['all trusted', ['private'], '10.0.0.1', '10.0.0.2', '10.0.0.2'],
])('%s', (_, trusted, socket, header, expected) => {
  expect(find(trusted, socket, header)).toBe(expected);
});

test('invalid entries are reported', () => {
  const complaints: string[] = [];
  createClientAddress(['10.0.0.0/8', 'example.org', '10.0.0.0/99'], (entry) =>
    complaints.push(entry),
  );
  expect(complaints).toEqual(['example.org', '10.0.0.0/99']);
});
