import { describe, expect, test } from 'vitest';
import {
  base32,
  findTotpStep,
  fromBase32,
  newTotpSecret,
  totpCode,
  totpUri,
} from '../../../src/core/accounts/factors/totp.ts';

const key = Buffer.from('12345678901234567890');

describe('codes of authenticator apps', () => {
  // RFC 6238, appendix B, the column SHA1.
  test.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('at %i seconds', (seconds, code) => {
    expect(totpCode(key, Math.floor(seconds / 30), 8)).toBe(code);
  });

  // RFC 4226, appendix D.
  test.each([
    '755224',
    '287082',
    '359152',
    '969429',
    '338314',
    '254676',
    '287922',
    '162583',
    '399871',
    '520489',
  ])('of the counter, %s', (code) => {
    const counter = [
      '755224',
      '287082',
      '359152',
      '969429',
      '338314',
      '254676',
      '287922',
      '162583',
      '399871',
      '520489',
    ].indexOf(code);
    expect(totpCode(key, counter)).toBe(code);
  });

  test('a clock may be one step off, not two', () => {
    const secret = base32(key);
    const at = 1_700_000_000;
    const step = Math.floor(at / 30);
    const found = [-2, -1, 0, 1, 2].map((off) =>
      findTotpStep(secret, totpCode(key, step + off), at),
    );
    expect(found).toEqual([null, step - 1, step, step + 1, null]);
    for (const wrong of [
      '',
      '0',
      '12345',
      '1234567',
      totpCode(key, step).slice(1),
      `${totpCode(key, step)}0`,
    ])
      expect(findTotpStep(secret, wrong, at)).toBeNull();
  });

  // RFC 4648, section 10, without padding.
  test.each([
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ])('base32 of %s', (text, encoded) => {
    expect(base32(Buffer.from(text))).toBe(encoded);
    expect(fromBase32(encoded).toString()).toBe(text);
  });

  test('a secret has 160 random bits; the address names site and account', () => {
    expect(newTotpSecret()).toMatch(/^[A-Z2-7]{32}$/);
    expect(newTotpSecret()).not.toBe(newTotpSecret());
    const uri = new URL(totpUri('ABC', 'My: site & co', 'ann/b'));
    expect(uri.protocol + uri.host).toBe('otpauth:totp');
    expect(decodeURIComponent(uri.pathname)).toBe('/My: site & co:ann/b');
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      secret: 'ABC',
      issuer: 'My: site & co',
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
  });
});
