/** The human check: when a call passes, what Turnstile is sent, and what its replies mean. */
import { beforeEach, describe, expect, test } from 'vitest';
import { bindRequireHuman, type HumanCheckDeps } from '../../../src/core/accounts/human-check.ts';
import { silentLogger } from '../../../src/core/kernel/logger.ts';
import { codeOf } from '../../support/app.ts';

let isOn: boolean;
let passes: Map<string, number>;
let reply: unknown;
let status: number;
let requests: unknown[][];
let logged: unknown[][];
let failure: Error | undefined;
beforeEach(() => {
  isOn = true;
  passes = new Map();
  reply = { success: true };
  status = 200;
  requests = [];
  logged = [];
  failure = undefined;
});
function open() {
  const values: Record<string, unknown> = {
    TurnstileCheckEnabled: isOn,
    TurnstileSecretKey: 'the secret',
  };
  return bindRequireHuman({
    options: { get: (key: string) => values[key] } as unknown as HumanCheckDeps['options'],
    preLogins: {
      grantPass: async (token) => void passes.set(token, 5),
      usePass: async (token) => {
        const left = passes.get(token) ?? 0;
        passes.set(token, left - 1);
        return left > 0;
      },
    },
    upstream: {
      collect: (async (...request: unknown[]) => {
        requests.push(request);
        if (failure !== undefined) throw failure;
        const bytes = Buffer.from(typeof reply === 'string' ? reply : JSON.stringify(reply));
        return { status, bytes };
      }) as unknown as HumanCheckDeps['upstream']['collect'],
    },
    endpoint: 'https://check.example/siteverify',
    logger: { ...silentLogger, error: (...line: unknown[]) => void logged.push(line) },
  });
}
let known: string | undefined;
const browser = { read: () => known, open: () => 'opened' };
beforeEach(() => {
  known = undefined;
});
const check = (token = 'token') => open()(browser, token, '192.0.2.1');

test('while it is off, every call passes', async () => {
  isOn = false;
  await check('');
  expect([requests, [...passes]]).toEqual([[], []]);
});

describe('a token', () => {
  test('is verified, and grants a pass of which this call is the first', async () => {
    await check();
    expect(requests).toEqual([
      [
        {
          method: 'POST',
          url: 'https://check.example/siteverify',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: 'secret=the+secret&response=token&remoteip=192.0.2.1',
          firstByteTimeout: 5000,
          idleTimeout: 5000,
        },
        65_536,
        expect.any(AbortSignal),
      ],
    ]);
    expect([...passes]).toEqual([['opened', 4]]);
    known = 'opened';
    for (let at = 0; at < 4; at++) await check('');
    expect(await codeOf(check(''))).toBe('human_check_missing');
    expect(requests).toHaveLength(1);
  });
  test('of a browser whose pass is used up is verified', async () => {
    known = 'other';
    await check();
    expect(requests).toHaveLength(1);
  });
  test('of more than 2,048 characters is refused unseen', async () => {
    await check('x'.repeat(2048));
    expect(requests).toHaveLength(1);
    expect(await codeOf(check('x'.repeat(2049)))).toBe('human_check_failed');
    expect(requests).toHaveLength(1);
  });
  test('that Turnstile does not accept is refused', async () => {
    reply = { success: false, 'error-codes': ['timeout-or-duplicate'] };
    expect(await codeOf(check())).toBe('human_check_failed');
    reply = { success: false, 'error-codes': 'invalid-input-secret' };
    expect(await codeOf(check())).toBe('human_check_failed');
    expect([logged, [...passes]]).toEqual([[], []]);
  });
});

test.each(['invalid-input-secret', 'missing-input-secret'])('%s is logged', async (code) => {
  const codes = ['other', code];
  reply = { success: false, 'error-codes': codes };
  expect(await codeOf(check())).toBe('human_check_failed');
  expect(logged).toEqual([[{ codes }, 'Turnstile does not accept the secret key']]);
});

test.each<[unknown]>([['no JSON'], [{}], [{ success: 'true' }], [[]]])(
  'the reply %j is none',
  async (given) => {
    reply = given;
    status = 502;
    await expect(check()).rejects.toMatchObject({ code: 'human_check_unavailable' });
    const error = expect.objectContaining({
      code: 'bad_response_status_code',
      params: { status: 502 },
    });
    expect(logged).toEqual([[{ error }, 'Turnstile could not verify a token']]);
    expect([...passes]).toEqual([]);
  },
);

test('without a connection no call passes', async () => {
  failure = new Error('no connection');
  await expect(check()).rejects.toMatchObject({
    code: 'human_check_unavailable',
    cause: failure,
  });
  expect(logged).toEqual([[{ error: failure }, 'Turnstile could not verify a token']]);
});
