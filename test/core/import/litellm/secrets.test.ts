// Covers src/core/import/litellm/secrets.ts, src/core/import/litellm/secretbox.ts
import { describe, expect, test } from 'vitest';
import { openSecretbox } from '../../../../src/core/import/litellm/secretbox.ts';
import { OldSecrets } from '../../../../src/core/import/litellm/secrets.ts';
import { AppError } from '../../../../src/core/kernel/errors.ts';

const hex = (text: string) => Buffer.from(text, 'hex');
const saltKey = 'sk-salt-of-the-old-site';
/** Encrypted by PyNaCl 1.6 and cryptography 46 with the salt key. */
const sealed = {
  box: 'oddPsm-eQd95MF3Tz255UXbwcgEUQpkzjVXbu1wHM3ygZor4MzSjc9hjpiQX4sw9lWWyCpCZIntYNwDm0RrluzE=',
  empty: 'aipZKQVQxNwghfbGvcvRo9sWzNYJH_SCnF_wRkseINRa6oDp-QOEFg==',
  second: 'v2:gcm:vhC5qx7_TV8KowrkKOSHtSk5HFOEt46Ur3akvE0-ggbd7eFANqxlU9d-8Q==',
  third: 'v3:gcm:i0O3ezynXA9vJljNQengtEP8AOA02BOk9W5BU3886IWTGiA4Z0woSR_NRQ==',
};

// The example of NaCl's own tests (nacl-20110221, tests/secretbox.c and secretbox.out).
const example = {
  key: '1b27556473e985d462cd51197a9a46c76009549eac6474f206c4ee0844f68389',
  nonce: '69696ee955b62b73cd62bda875fc73d68219e0036b7a0b37',
  text: 'be075fc53c81f2d5cf141316ebeb0c7b5228c52a4c62cbd44b66849b64244ffce5ecbaaf33bd751a1ac728d45e6c61296cdc3c01233561f41db66cce314adb310e3be8250c46f06dceea3a7fa1348057e2f6556ad6b1318a024a838f21af1fde048977eb48f59ffd4924ca1c60902e52f0a089bc76897040e082f937763848645e0705',
  box: 'f3ffc7703f9400e52a7dfb4b3d3305d98e993b9f48681273c29650ba32fc76ce48332ea7164d96a4476fb8c531a1186ac0dfc17c98dce87b4da7f011ec48c97271d2c20f9b928fe2270d6fb863d51738b48eeee314a7cc8ab932164548e526ae90224368517acfeabd6bb3732bc0e9da99832b61ca01b6de56244a9e88d5f9b37973f622a43d14a6599b1f654cb45a74e355a5',
};

describe('a secretbox', () => {
  const box = Buffer.concat([hex(example.nonce), hex(example.box)]);
  test("opens NaCl's example", () => {
    expect(openSecretbox(box, hex(example.key))?.toString('hex')).toBe(example.text);
  });

  test('that was changed, cut off or sealed with another key stays closed', () => {
    for (const at of [0, 23, 24, 39, 40, box.length - 1]) {
      const changed = Buffer.from(box);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(openSecretbox(changed, hex(example.key))).toBeUndefined();
    }
    expect(openSecretbox(box.subarray(0, 100), hex(example.key))).toBeUndefined();
    expect(openSecretbox(box.subarray(0, 39), hex(example.key))).toBeUndefined();
    expect(openSecretbox(box, Buffer.alloc(32))).toBeUndefined();
  });
});

describe('values of the database', () => {
  test('are read in each of the forms that there were, and in clear', () => {
    const secrets = new OldSecrets(saltKey);
    expect(secrets.read(sealed.box)).toBe('sk-upstream-key-of-openai');
    expect(secrets.read(sealed.empty)).toBe('');
    expect(secrets.read(sealed.second)).toBe('a value of 2026');
    expect(secrets.read(sealed.third)).toBe('a value of 2026');
    expect(secrets.read('os.environ/NAME')).toBe('os.environ/NAME');
    expect(secrets.read(`sk-proj-${'a'.repeat(152)}`)).toBe(`sk-proj-${'a'.repeat(152)}`);
    expect(secrets.read('')).toBe('');
    expect(() => secrets.requireRightKey()).not.toThrow();
  });

  test.each(Object.entries(sealed))('with another key are known as closed: %s', (_, value) => {
    const secrets = new OldSecrets('another');
    expect(secrets.read(value)).toBeUndefined();
    expect(() => secrets.requireRightKey()).toThrow(AppError);
  });

  test('without a key are closed, which is no error', () => {
    const secrets = new OldSecrets('');
    expect(secrets.read(sealed.box)).toBeUndefined();
    expect(() => secrets.requireRightKey()).not.toThrow();
  });

  test('one that was cut off is closed', () => {
    const secrets = new OldSecrets(saltKey);
    expect(secrets.read('v3:gcm:abc')).toBeUndefined();
    expect(secrets.read(`${sealed.third.slice(0, -4)}AAAA`)).toBeUndefined();
  });
});
