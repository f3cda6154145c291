// Covers src/core/accounts/factors/passkey-proof.ts, src/core/accounts/factors/webauthn.ts.
/** What a browser's passkey proves, for whom and for what (docs/rules/accounts.md#passkeys). */
import { beforeEach, describe, expect, it } from 'vitest';
import type { OneTimeTokens } from '../../../../src/core/accounts/factors/one-time-tokens.ts';
import {
  createPasskeyProof,
  type PasskeyProofDeps,
} from '../../../../src/core/accounts/factors/passkey-proof.ts';
import {
  findRelyingParty,
  isHandleOf,
  readAnswer,
  registrationOptions,
  verifyRegistration,
} from '../../../../src/core/accounts/factors/webauthn.ts';
import type { Passkey } from '../../../../src/core/storage/storage.ts';
import { createSoftwarePasskey } from '../../../support/software-passkey.ts';
import { codeOf } from '../../billing/ledger-support.ts';
import { userOf } from '../account-stubs.ts';

const site = 'https://gw.example';
const party = { id: 'gw.example', origin: site, name: 'Gate' };
const challenge = Buffer.from('c'.repeat(32)).toString('base64url');

let address: string;
let stored: Passkey[];
let issued: Map<string, { purpose: string; userId: unknown }>;
let hasCounterMoved: boolean;
beforeEach(() => {
  address = site;
  stored = [];
  issued = new Map();
  hasCounterMoved = false;
});

/** Passkeys in memory, and requests that each are answered once. */
function open() {
  const tokens = {
    issue: async (purpose: string, { userId }: { userId?: unknown }) => {
      const token = Buffer.from(`${issued.size}`.padStart(32, 'c')).toString('base64url');
      issued.set(token, { purpose, userId });
      return token;
    },
    open: async (purpose: string, token: string) => {
      const found = issued.get(token);
      return found?.purpose === purpose ? { userId: found.userId } : null;
    },
    use: async (_: string, token: string) => issued.delete(token),
  } as unknown as OneTimeTokens;
  return createPasskeyProof({
    storage: {
      secondFactors: {
        passkeys: async (userId: number) => stored.filter((passkey) => passkey.userId === userId),
        findPasskey: async (id: string) =>
          stored.find(({ credentialId }) => credentialId === id) ?? null,
        notePasskeyUse: async () => !hasCounterMoved,
      },
    },
    options: { get: () => address },
    tokens,
    clock: { now: () => 9000, sleep: async () => {} },
  } as unknown as PasskeyProofDeps);
}

/** A passkey of a user that the site knows. */
async function addPasskey(userId: number, more: Partial<Passkey> = {}) {
  const device = createSoftwarePasskey();
  const options = await registrationOptions(party, userOf(userId), [], challenge);
  const made = await verifyRegistration(party, challenge, device.register({ ...options }, site));
  const rest = { id: userId, name: 'laptop', createdAt: 1, lastUsedAt: 0 };
  stored.push({ ...made, ...rest, userId, rpId: party.id, ...more });
  return device;
}

type Options = Awaited<ReturnType<ReturnType<typeof open>['request']>>;
const answer = (
  device: ReturnType<typeof createSoftwarePasskey>,
  options: Options,
  flags?: Parameters<(typeof device)['answer']>[2],
) => device.answer({ ...options }, site, flags);

describe('a request', () => {
  it('without a user lets any passkey of the site answer, whose owner must be verified', async () => {
    const { allowCredentials, userVerification, rpId } = await open().request('passkey-sign-in');
    expect([allowCredentials, userVerification, rpId]).toEqual([[], 'required', 'gw.example']);
  });
  it('of a user names the passkeys that work here, with the ways to reach them', async () => {
    await addPasskey(7, { transports: 'usb,nfc' });
    await addPasskey(7, { rpId: 'old.example' });
    await addPasskey(8);
    const { allowCredentials, userVerification } = await open().request('passkey-step-up', 7);
    expect(allowCredentials).toMatchObject([
      { id: stored[0]?.credentialId, transports: ['usb', 'nfc'] },
    ]);
    expect(userVerification).toBe('preferred');
  });
  it('of a user without one, and of a site without an address, cannot be made', async () => {
    const proof = open();
    expect(await codeOf(proof.request('passkey-step-up', 7))).toBe('passkey_unavailable');
    expect([...issued]).toEqual([]);
    await addPasskey(7);
    address = '';
    expect(await proof.usable(7)).toEqual([]);
    expect(await codeOf(proof.request('passkey-sign-in'))).toBe('passkey_unavailable');
    expect(await codeOf(proof.verify('passkey-sign-in', {}))).toBe('passkey_unavailable');
  });
});

describe('an answer', () => {
  it('proves its user once', async () => {
    const device = await addPasskey(7);
    const proof = open();
    const given = answer(device, await proof.request('passkey-sign-in'));
    expect(await proof.verify('passkey-sign-in', given)).toMatchObject({ userId: 7 });
    expect(await codeOf(proof.verify('passkey-sign-in', given))).toBe('passkey_invalid');
  });
  it('without a user needs an owner who is verified and named', async () => {
    const device = await addPasskey(7);
    const proof = open();
    for (const flags of [
      { verified: false },
      { userHandle: null },
      { userHandle: Buffer.from('user:8').toString('base64url') },
    ]) {
      const given = answer(device, await proof.request('passkey-sign-in'), flags);
      expect(await codeOf(proof.verify('passkey-sign-in', given))).toBe('passkey_invalid');
    }
  });
  it('of a known user needs neither, but names nobody else', async () => {
    const device = await addPasskey(7);
    const proof = open();
    for (const [flags, code] of [
      [{ verified: false }, 'ok'],
      [{ userHandle: null }, 'ok'],
      [{ userHandle: '' }, 'ok'],
      [{ userHandle: Buffer.from('user:8').toString('base64url') }, 'passkey_invalid'],
    ] as const) {
      const given = answer(device, await proof.request('passkey-step-up', 7), flags);
      expect(await codeOf(proof.verify('passkey-step-up', given, 7))).toBe(code);
    }
  });
  it('counts for the purpose and the user of its request alone', async () => {
    const ann = await addPasskey(7);
    const bob = await addPasskey(8);
    const proof = open();
    const refused = async (
      purpose: 'passkey-sign-in' | 'passkey-step-up',
      by: object,
      user?: number,
    ) => expect(await codeOf(proof.verify(purpose, by, user))).toBe('passkey_invalid');
    const ofAnn = () => proof.request('passkey-step-up', 7);
    // Bob answers Ann's request, as Bob and as Ann.
    await refused('passkey-step-up', answer(bob, await ofAnn()), 8);
    await refused('passkey-step-up', answer(bob, await ofAnn()), 7);
    await refused('passkey-step-up', answer(ann, await ofAnn()));
    await refused('passkey-sign-in', answer(ann, await ofAnn()), 7);
    await refused('passkey-step-up', answer(ann, await proof.request('passkey-sign-in')), 7);
    await refused(
      'passkey-sign-in',
      answer(createSoftwarePasskey(), await proof.request('passkey-sign-in')),
    );
  });
  it('with another signature, from another site, and from a copy that was overtaken is refused', async () => {
    const device = await addPasskey(7);
    const proof = open();
    const request = () => proof.request('passkey-step-up', 7);
    const given = answer(device, await request());
    const other = answer(device, await request());
    const { signature } = other['response'] as Record<string, string>;
    const forged = { ...given, response: { ...(given['response'] as object), signature } };
    expect(await codeOf(proof.verify('passkey-step-up', forged, 7))).toBe('passkey_invalid');
    const foreign = device.answer({ ...(await request()) }, 'https://other.example');
    const refused = proof.verify('passkey-step-up', foreign, 7);
    await expect(refused).rejects.toMatchObject({
      code: 'passkey_invalid',
      cause: expect.any(Error),
    });
    hasCounterMoved = true;
    const late = answer(device, await request());
    expect(await codeOf(proof.verify('passkey-step-up', late, 7))).toBe('passkey_invalid');
  });
});

describe('a new passkey', () => {
  const register = async (
    change: (response: Record<string, unknown>) => object,
    verified = true,
  ) => {
    const device = createSoftwarePasskey();
    const options = await registrationOptions(party, userOf(7), [], challenge);
    const made = device.register({ ...options }, site, { verified });
    const response = { ...(made['response'] as object), ...change({}) };
    return verifyRegistration(party, challenge, { ...made, response });
  };
  it('that attests itself is taken, unless the signature is not its own', async () => {
    const options = await registrationOptions(party, userOf(7), [], challenge);
    const attested = (attestedBy: 'itself' | 'stranger') => {
      const made = createSoftwarePasskey().register({ ...options }, site, { attestedBy });
      return verifyRegistration(party, challenge, made);
    };
    expect(await attested('itself')).toMatchObject({ counter: 0 });
    expect(await codeOf(attested('stranger'))).toBe('passkey_invalid');
  });
  it('is asked for with the names of site and user, without those that are known', async () => {
    await addPasskey(7);
    const options = await registrationOptions(party, userOf(7), stored, challenge);
    expect(options).toMatchObject({
      rp: { id: 'gw.example', name: 'Gate' },
      user: {
        id: Buffer.from('user:7').toString('base64url'),
        name: 'name7',
        displayName: 'name7',
      },
      challenge,
      attestation: 'none',
      excludeCredentials: [{ id: stored[0]?.credentialId, transports: ['internal'] }],
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    });
    const ann = userOf(7, { displayName: 'Ann' });
    expect((await registrationOptions(party, ann, [], challenge)).user.displayName).toBe('Ann');
    const nameless = userOf(7, { displayName: '' });
    expect((await registrationOptions(party, nameless, [], challenge)).user.displayName).toBe(
      'name7',
    );
  });
  it('of a device that does not verify its owner is one, too', async () => {
    expect(await register(() => ({}), false)).toMatchObject({ transports: 'internal' });
  });
  it('keeps the ways to reach it that may be stored', async () => {
    const long = 'x'.repeat(21);
    const transports = ['usb', 'smart-card', 'a,b', 'USB', '', `${long}`, 'a b', 'x'.repeat(20)];
    expect((await register(() => ({ transports }))).transports).toBe(
      `usb,smart-card,${'x'.repeat(20)}`,
    );
    expect((await register(() => ({ transports: undefined }))).transports).toBe('');
  });
  it('that answers something else is refused with the cause', async () => {
    await expect(register(() => ({ clientDataJSON: '' }))).rejects.toMatchObject({
      code: 'passkey_invalid',
      cause: expect.any(Error),
    });
  });
});

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
describe('what an answer names', () => {
  const clientDataJSON = encoded({ challenge: 'c' });
  it('is its passkey, its request and, where the device says so, its user', () => {
    const named = { credentialId: 'i', challenge: 'c', userHandle: undefined };
    const read = (userHandle?: unknown) =>
      readAnswer({ id: 'i', response: { clientDataJSON, userHandle } });
    expect([read(), read(null), read(''), read('u')]).toEqual([
      named,
      named,
      named,
      { ...named, userHandle: 'u' },
    ]);
  });
  it.each([
    [undefined],
    ['text'],
    [{ id: 'i' }],
    [{ id: 5, response: { clientDataJSON } }],
    [{ response: { clientDataJSON } }],
    [{ id: 'i', response: {} }],
    [{ id: 'i', response: { clientDataJSON: 5 } }],
    [{ id: 'i', response: { clientDataJSON: 'no JSON' } }],
    [{ id: 'i', response: { clientDataJSON: encoded({ challenge: 5 }) } }],
    [{ id: 'i', response: { clientDataJSON, userHandle: 5 } }],
  ])('is refused where it cannot be read: %o', (response) => {
    expect(() => readAnswer(response)).toThrow(
      expect.objectContaining({ code: 'passkey_invalid' }),
    );
  });
});

it.each([
  ['user:7', true],
  ['7', true],
  ['user:70', false],
  ['8', false],
])('the handle %s is that of user 7: %s', (handle, is) => {
  expect(isHandleOf(7, Buffer.from(handle).toString('base64url'), true)).toBe(is);
});
it('no handle is enough where the user is known', () => {
  expect([isHandleOf(7, undefined, false), isHandleOf(7, undefined, true)]).toEqual([true, false]);
});

it.each([
  ['https://gw.example:8443/path', 'gw.example', 'https://gw.example:8443'],
  ['http://localhost:3000', 'localhost', 'http://localhost:3000'],
  ['http://gw.localhost', 'gw.localhost', 'http://gw.localhost'],
  ['http://gw.example', undefined, undefined],
  ['http://notlocalhost', undefined, undefined],
  ['https://192.0.2.1', undefined, undefined],
  ['https://[2001:db8::1]', undefined, undefined],
  ['', undefined, undefined],
])('browsers make passkeys at %s: %s', (address, id, origin) => {
  const get = (key: string) => (key === 'ServerAddress' ? address : 'Gate');
  const found = findRelyingParty({ get } as never);
  expect(found).toEqual(id === undefined ? null : { id, origin, name: 'Gate' });
});
