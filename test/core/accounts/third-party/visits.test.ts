/** Visits of browsers to providers: what they carry, and whose they are. */
import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Caller } from '../../../../src/core/accounts/gate/caller.ts';
import type { ProviderVisit } from '../../../../src/core/accounts/pre-logins.ts';
import type { SignInMethod } from '../../../../src/core/accounts/sign-in/sign-in-method.ts';
import {
  createProviderVisits,
  type ProviderVisitDeps,
} from '../../../../src/core/accounts/third-party/visits.ts';
import { AppError } from '../../../../src/core/kernel/errors.ts';
import { codeOf } from '../../../support/app.ts';

let visits: Map<string, ProviderVisit>;
let calls: unknown[][];
let isOpen: boolean;
beforeEach(() => {
  visits = new Map();
  calls = [];
  isOpen = true;
});
const caller = { actor: { id: 7 } } as Caller;
const user = { id: 9 };

function open() {
  let serial = 0;
  const methods: Record<string, Partial<SignInMethod>> = {
    github: {
      begin: (secrets) => `https://github.example/?${new URLSearchParams({ ...secrets })}`,
    },
    password: {},
  };
  return createProviderVisits({
    preLogins: {
      beginVisit: async (token: string, visit: ProviderVisit) => {
        visits.set(`${token} state`, visit);
        return 'state';
      },
      endVisit: async (token: string, state: string) => {
        const visit = visits.get(`${token} ${state}`) ?? null;
        visits.delete(`${token} ${state}`);
        return visit;
      },
    } as ProviderVisitDeps['preLogins'],
    findMethod: (id) => methods[id] as SignInMethod,
    signIn: (async (...call: unknown[]) => {
      calls.push(['sign in', ...call]);
      return user;
    }) as unknown as ProviderVisitDeps['signIn'],
    bindings: { bind: async (...call) => void calls.push(['bind', ...call]) },
    gate: {
      enter: (async (...call: unknown[]) => {
        calls.push(['enter', ...call]);
        if (!isOpen) throw new AppError('step_up_required');
      }) as unknown as ProviderVisitDeps['gate']['enter'],
    },
    ids: {
      base64url: (bytes) => {
        serial += 1;
        return `${bytes} random ${serial}`;
      },
    },
  });
}
const visitor = { token: 'browser', caller: null };
const owner = { token: 'browser', caller };

describe('beginning', () => {
  test('with a nonce and a challenge, of which the verifier stays here', async () => {
    const url = new URL(await open().begin('github', 'browser', null, 'aff'));
    const verifier = '32 random 2';
    expect(Object.fromEntries(url.searchParams)).toEqual({
      state: 'state',
      nonce: '32 random 1',
      challenge: createHash('sha256').update(verifier).digest('base64url'),
    });
    expect([...visits]).toEqual([
      ['browser state', { userId: 0, affCode: 'aff', nonce: '32 random 1', verifier }],
    ]);
    expect(calls).toEqual([]);
  });
  test('plainly, for clients that make the address themselves', async () => {
    expect(await open().beginPlain('browser', null, 'aff')).toBe('state');
    expect([...visits.values()]).toEqual([{ userId: 0, affCode: 'aff', nonce: '', verifier: '' }]);
  });
  test('a user passes the gate before', async () => {
    await open().begin('github', 'browser', caller, '');
    expect([...visits.values()]).toMatchObject([{ userId: 7 }]);
    await open().beginPlain('browser', caller, '');
    expect([...visits.values()]).toMatchObject([{ userId: 7 }]);
    expect(calls).toEqual([
      ['enter', caller, 'identity'],
      ['enter', caller, 'identity'],
    ]);
    visits.clear();
    isOpen = false;
    expect(await codeOf(open().begin('github', 'browser', caller, ''))).toBe('step_up_required');
    expect(await codeOf(open().beginPlain('browser', caller, ''))).toBe('step_up_required');
    expect(visits.size).toBe(0);
  });
  test('not by a method without a page', async () => {
    expect(await codeOf(open().begin('password', 'browser', null, ''))).toBe('not_found');
  });
});

describe('ending', () => {
  test('signs a visitor in, with the invite code and the secrets of the visit', async () => {
    await open().begin('github', 'browser', null, 'aff');
    const callback = { code: 'c', state: 'state' };
    expect(await open().finish('github', visitor, callback)).toBe(user);
    const input = { code: 'c', nonce: '32 random 1', verifier: '32 random 2' };
    expect(calls).toEqual([['sign in', 'github', input, 'aff']]);
    expect(await codeOf(open().finish('github', visitor, callback))).toBe('oauth_state_invalid');
  });
  test('binds for a user', async () => {
    await open().begin('github', 'browser', caller, '');
    calls = [];
    expect(await open().finish('github', owner, { state: 'state' })).toBeNull();
    const input = { code: '', nonce: '32 random 1', verifier: '32 random 2' };
    expect(calls).toEqual([
      ['enter', caller, 'identity'],
      ['bind', caller, 'github', input],
    ]);
  });
  test('without a reply gives the invite code back', async () => {
    await open().beginPlain('browser', null, 'aff');
    expect(await open().end(visitor, 'state')).toMatchObject({ affCode: 'aff' });
    await open().beginPlain('browser', caller, '');
    await open().endBinding(owner, 'state');
    expect(visits.size).toBe(0);
  });
  test('the gate is passed before the state is used up', async () => {
    await open().begin('github', 'browser', caller, '');
    isOpen = false;
    const finished = open().finish('github', owner, { state: 'state' });
    expect(await codeOf(finished)).toBe('step_up_required');
    expect(await codeOf(open().endBinding(owner, 'state'))).toBe('step_up_required');
    expect(visits.size).toBe(1);
  });
  test.each([
    ['another browser', { ...visitor, token: 'other' }, 'state'],
    ['no browser', { ...visitor, token: undefined }, 'state'],
    ['another state', visitor, 'other'],
    ['no state', visitor, undefined],
    ['an empty state', visitor, ''],
    ['a user who has signed in since', owner, 'state'],
  ])('not by %s', async (_, by, state) => {
    await open().begin('github', 'browser', null, '');
    visits.set('browser ', { userId: 0, affCode: '', nonce: '', verifier: '' });
    visits.set('undefined state', { userId: 0, affCode: '', nonce: '', verifier: '' });
    expect(await codeOf(open().finish('github', by, { state }))).toBe('oauth_state_invalid');
    await open().begin('github', 'browser', null, '');
    expect(await codeOf(open().end(by, state))).toBe('oauth_state_invalid');
  });
  test('nor by a visitor who has signed out, nor by another user', async () => {
    await open().begin('github', 'browser', caller, '');
    expect(await codeOf(open().end(visitor, 'state'))).toBe('oauth_state_invalid');
    await open().begin('github', 'browser', caller, '');
    const other = { token: 'browser', caller: { actor: { id: 8 } } as Caller };
    expect(await codeOf(open().endBinding(other, 'state'))).toBe('oauth_state_invalid');
  });
  test.each([
    ['the reason', { error: 'access_denied', error_description: 'No.' }, 'No.'],
    ['the code without one', { error: 'access_denied' }, 'access_denied'],
    ['not more than 200 characters', { error: 'x'.repeat(201) }, 'x'.repeat(200)],
  ])('a refusal is shown with %s', async (_, callback, reason) => {
    await open().begin('github', 'browser', null, '');
    const finished = open().finish('github', visitor, { ...callback, state: 'state' });
    await expect(finished).rejects.toMatchObject({ code: 'provider_refused', params: { reason } });
    expect(calls).toEqual([]);
  });
  test('not by a method without a page', async () => {
    await open().begin('github', 'browser', null, '');
    const finished = open().finish('password', visitor, { state: 'state' });
    expect(await codeOf(finished)).toBe('not_found');
  });
});
