import { expect, test } from 'vitest';
import { Secret } from '../../../src/core/kernel/secret.ts';
import { forEachEngineInTurn } from '../../support/storage.ts';

const passkey = {
  userId: 1,
  credentialId: 'id',
  publicKey: 'key',
  counter: 0,
  transports: 'internal,hybrid',
  rpId: 'gw.example',
  name: 'laptop',
  backedUp: true,
  createdAt: 5,
};

/** How many of several concurrent attempts succeeded. */
const winners = async (attempt: () => Promise<boolean>) =>
  (await Promise.all(Array.from({ length: 8 }, attempt))).filter(Boolean).length;

forEachEngineInTurn('second factors', (engine) => {
  test('a secret can be replaced until it is confirmed, and only the one that was shown', async () => {
    const { secondFactors } = await engine.open();
    expect(await secondFactors.putTotp(1, new Secret('FIRST'), 10)).toBe(true);
    const first = await secondFactors.findTotp(1);
    expect(await secondFactors.putTotp(1, new Secret('SECOND'), 11)).toBe(true);
    const second = await secondFactors.findTotp(1);
    expect([second?.secret.reveal(), second?.createdAt, second?.confirmedAt]).toEqual([
      'SECOND',
      11,
      0,
    ]);
    if (first === null || second === null) throw new Error('no secret');
    expect(await secondFactors.confirmTotp(first, 7, 20)).toBe(false);
    expect(await secondFactors.has(1)).toBe(false);
    expect(await secondFactors.takeTotpStep(1, 9)).toBe(false);
    expect(await winners(() => secondFactors.confirmTotp(second, 7, 20))).toBe(1);
    expect(await secondFactors.has(1)).toBe(true);
    expect(await secondFactors.putTotp(1, new Secret('THIRD'), 12)).toBe(false);
    expect((await secondFactors.findTotp(1))?.secret.reveal()).toBe('SECOND');
  });

  test('a step and all before it are used up once, among concurrent callers too', async () => {
    const { secondFactors } = await engine.open();
    await secondFactors.putTotp(1, new Secret('SECRET'), 10);
    const totp = await secondFactors.findTotp(1);
    if (totp !== null) await secondFactors.confirmTotp(totp, 7, 20);
    expect(await secondFactors.takeTotpStep(1, 7)).toBe(false);
    expect(await winners(() => secondFactors.takeTotpStep(1, 9))).toBe(1);
    expect([
      await secondFactors.takeTotpStep(1, 8),
      await secondFactors.takeTotpStep(1, 10),
    ]).toEqual([false, true]);
    expect([await secondFactors.deleteTotp(1), await secondFactors.deleteTotp(1)]).toEqual([
      true,
      false,
    ]);
  });

  test('a passkey has one owner; of concurrent uses with one counter one counts', async () => {
    const { secondFactors } = await engine.open();
    const id = await secondFactors.insertPasskey(passkey);
    await expect(secondFactors.insertPasskey({ ...passkey, userId: 2 })).rejects.toMatchObject({
      code: 'conflict',
    });
    const found = await secondFactors.findPasskey('id');
    expect(found).toEqual({ ...passkey, id, lastUsedAt: 0 });
    if (found === null) throw new Error('no passkey');
    expect(await winners(() => secondFactors.notePasskeyUse(found, 3, 30))).toBe(1);
    expect(await secondFactors.passkeys(1)).toEqual([{ ...found, counter: 3, lastUsedAt: 30 }]);
    expect([
      await secondFactors.renamePasskey(2, id, 'x'),
      await secondFactors.deletePasskey(2, id),
    ]).toEqual([false, false]);
    expect([
      await secondFactors.renamePasskey(1, id, 'desk'),
      await secondFactors.deletePasskey(1, id),
    ]).toEqual([true, true]);
    expect([await secondFactors.has(1), await secondFactors.findPasskey('id')]).toEqual([
      false,
      null,
    ]);
  });

  test('recovery codes are used once and replaced whole; a user’s factors go together', async () => {
    const { secondFactors } = await engine.open();
    await secondFactors.putRecoveryCodes(1, ['a', 'b']);
    await secondFactors.putRecoveryCodes(2, ['a']);
    expect(await winners(() => secondFactors.takeRecoveryCode(1, 'a'))).toBe(1);
    expect([
      await secondFactors.countRecoveryCodes(1),
      await secondFactors.countRecoveryCodes(2),
    ]).toEqual([1, 1]);
    await secondFactors.putRecoveryCodes(1, ['c']);
    expect([
      await secondFactors.takeRecoveryCode(1, 'b'),
      await secondFactors.takeRecoveryCode(1, 'c'),
    ]).toEqual([false, true]);
    await secondFactors.insertPasskey({ ...passkey, userId: 2 });
    await secondFactors.deleteByUser(2);
    expect([await secondFactors.has(2), await secondFactors.countRecoveryCodes(2)]).toEqual([
      false,
      0,
    ]);
  });
});
