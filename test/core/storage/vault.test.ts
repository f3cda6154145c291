import { expect, test } from 'vitest';
import { createVault } from '../../../src/core/storage/vault.ts';

const vault = createVault(Buffer.from('master'));

test('decrypts what it encrypted', () => {
  for (const text of ['', 'sk-abc', '密钥 🔑', 'x'.repeat(100_000)]) {
    const sealed = vault.seal(text, 'channels:7');
    expect(sealed).toMatch(/^v1:[\w-]{16}:[\w-]{22,}$/);
    expect(vault.open(sealed, 'channels:7')).toBe(text);
  }
  expect(vault.seal('same', 'c')).not.toBe(vault.seal('same', 'c'));
});

test('does not decrypt with another context or key, or damaged text', () => {
  const sealed = vault.seal('secret', 'channels:7');
  const refused = (open: () => string) => expect(open).toThrow(/sealed with another key.*/);
  refused(() => vault.open(sealed, 'channels:8'));
  refused(() => createVault(Buffer.from('other')).open(sealed, 'channels:7'));
  refused(() => vault.open(`${sealed.slice(0, -2)}AA`, 'channels:7'));
  refused(() => vault.open(sealed.replace('v1:', 'v2:'), 'channels:7'));
  refused(() => vault.open('secret', 'channels:7'));
  refused(() => vault.open('', 'channels:7'));
  refused(() => vault.open('v1::', 'channels:7'));
});

test('hashes depend on the master key', () => {
  expect(vault.hash('a')).toMatch(/^[0-9a-f]{64}$/);
  expect(vault.hash('a')).toBe(createVault(Buffer.from('master')).hash('a'));
  expect(vault.hash('a')).not.toBe(createVault(Buffer.from('other')).hash('a'));
});

test('what an earlier version stored is read and found', () => {
  const same = createVault(Buffer.from('0123456789abcdef0123456789abcdef'));
  const stored = 'v1:I3KzGlNx4v5Nxalh:0LkrjSIDTkBmajB1dum-WvEyTQJkyQ';
  expect(same.open(stored, 'tokens:1')).toBe('sk-abc');
  expect(same.hash('sk-abc')).toBe(
    '1609fa11ff42b8145520fa2b3dbf0c4536e52ed1a2763fd19756cace85ac027d',
  );
});
