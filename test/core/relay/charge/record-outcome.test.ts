/** Whose fault a failure is, and what is kept of it (docs/rules/usage-logs.md#outcomes). */
import { describe, expect, it } from 'vitest';
import type { RouteStep } from '../../../../src/core/contract/log-other.ts';
import { AppError, type ErrorCode } from '../../../../src/core/kernel/errors.ts';
import {
  isCallersFault,
  recordAbandonedRequest,
  recordFailedRequest,
  recordRefusedRequest,
  recordServedRequest,
} from '../../../../src/core/relay/charge/record-outcome.ts';
import type { Failure } from '../../../../src/core/relay/failure.ts';

const own = (code: ErrorCode): Failure => ({ from: 'gateway', error: new AppError(code) });
const upstream = (mappedStatus: number, code = 'bad'): Failure => ({
  from: 'upstream',
  error: { status: mappedStatus, message: 'no', type: 't', code, param: null } as never,
  mappedStatus,
});

it.each<[Failure, boolean]>([
  [upstream(400), true],
  [upstream(413), true],
  [upstream(415), true],
  [upstream(422), true],
  [upstream(404), false],
  [upstream(429), false],
  [upstream(500), false],
  [own('invalid_parameter'), true],
  [own('insufficient_user_quota'), true],
  [own('api_not_implemented'), true],
  [own('prompt_blocked'), true],
  // Its status is one of callers, but it is none of theirs.
  [own('upstream_saturated'), false],
  // Only an operator can end these.
  [own('model_price_error'), false],
  [own('model_mapped_error'), false],
  [own('internal_error'), false],
  [own('upstream_timeout'), false],
  [own('do_request_failed'), false],
])('a fault of the caller: %o %s', (failure, is) => {
  expect(isCallersFault(failure)).toBe(is);
});

const steps = [{ channel: 6 }, { channel: 7 }] as unknown as readonly RouteStep[];

/** A request that began at 100 s and ended at 107.6 s, with what was recorded of it. */
function open({ now = 107_600, ...more }: Record<string, unknown> & { now?: number } = {}) {
  const outcomes: {
    user: number;
    outcome: string | null;
    row: Record<string, unknown> | undefined;
  }[] = [];
  const traces: Record<string, unknown>[] = [];
  const context = {
    deps: {
      siteLanguage: () => 'en',
      clock: { now: () => now },
      outcomes: {
        record: (user: number, outcome: string | null, row?: () => Record<string, unknown>) =>
          void outcomes.push({ user, outcome, row: row?.() }),
      },
      tracer: { record: (trace: Record<string, unknown>) => void traces.push(trace) },
    },
    caller: { userId: 4, username: 'ann', tokenId: 5, tokenName: 'key' },
    group: 'vip',
    requestId: 'r',
    route: { path: '/v1/chat/completions' },
    request: { headers: { 'x-turnpike-tags': 'a,b' } },
    address: '::1',
    startedAt: 100_000,
    model: 'm',
    stream: true,
    ...more,
  } as never;
  const other = () => JSON.parse(String(outcomes[0]?.row?.['other'])) as Record<string, unknown>;
  return { context, outcomes, traces, other };
}

describe('a request that failed', () => {
  it('has a row with what was tried, and a trace', () => {
    const { context, outcomes, traces, other } = open();
    recordFailedRequest(context, upstream(500), steps);
    expect(outcomes).toMatchObject([{ user: 4, outcome: 'failed' }]);
    expect(outcomes[0]?.row).toEqual({
      userId: 4,
      username: 'ann',
      createdAt: 107,
      type: 5,
      content: 'no',
      tokenName: 'key',
      tokenId: 5,
      modelName: 'm',
      useTime: 8,
      isStream: true,
      channelId: 7,
      group: 'vip',
      requestId: 'r',
      tags: 'a,b',
      other: expect.any(String),
    });
    expect(other()).toEqual({
      group: 'vip',
      status_code: 500,
      error_code: 'bad',
      request_path: '/v1/chat/completions',
      use_ms: 7600,
      admin_info: { use_channel: ['6', '7'], route: steps, ip: '::1' },
    });
    const what = { status: 500, error: 'bad', attempts: steps, model: 'm', endedAt: 107_600 };
    expect(traces).toMatchObject([what]);
  });

  it('is named by its status where it has no code, and by 200 characters of its model', () => {
    const { context, outcomes, traces, other } = open({ model: 'x'.repeat(201), playgroundKey: 3 });
    recordFailedRequest(context, upstream(503, ''), steps);
    const model = 'x'.repeat(200);
    expect(traces).toMatchObject([{ status: 503, error: '503', model }]);
    expect(outcomes[0]?.row).toMatchObject({ modelName: model });
    expect(other()).toMatchObject({ status_code: 503, playground_key: 3 });
    expect(other()).not.toHaveProperty('error_code');
  });

  it('by its caller has a row where a channel was tried', () => {
    for (const [tried, hasRow] of [
      [steps, true],
      [[], false],
    ] as const) {
      const { context, outcomes, traces } = open();
      recordFailedRequest(context, upstream(400), tried);
      expect(outcomes).toMatchObject([{ outcome: 'refused' }]);
      expect(outcomes[0]?.row !== undefined).toBe(hasRow);
      expect(traces).toHaveLength(1);
    }
  });

  it('names the last of many channels', () => {
    const { context, outcomes } = open();
    const three = [{ channel: 6 }, { channel: 8 }, { channel: 7 }] as never;
    recordFailedRequest(context, upstream(500), three);
    expect(outcomes).toMatchObject([{ row: { channelId: 7 } }]);
  });

  it('before any channel names none, and took no time where the clock was put back', () => {
    const { context, outcomes, other } = open({ now: 99_000 });
    recordFailedRequest(context, own('internal_error'), []);
    expect(outcomes[0]?.row).toMatchObject({ channelId: 0, useTime: 0 });
    expect(other()).toMatchObject({ use_ms: 0, admin_info: { ip: '::1' } });
    expect(Object.keys(other()['admin_info'] as object)).toEqual(['ip']);
  });
});

describe('a request that was served', () => {
  it.each([undefined, 'client_gone'] as const)('is a success: %s', (ended) => {
    const { context, outcomes, traces } = open();
    recordServedRequest(context, { ended }, steps);
    expect([outcomes, traces]).toEqual([[{ user: 4, outcome: 'succeeded', row: undefined }], []]);
  });

  it.each([
    ['upstream_cut', 'upstream_cut'],
    ['idle_timeout', 'upstream_timeout'],
    ['gateway_stopped', 'shutting_down'],
  ] as const)('and cut by %s failed, with the status that it began with', (ended, code) => {
    const { context, outcomes, traces, other } = open();
    recordServedRequest(context, { ended }, steps);
    expect(outcomes).toMatchObject([{ outcome: 'failed', row: { channelId: 7 } }]);
    expect(other()).toMatchObject({ status_code: 200, error_code: code, ended });
    // Its charge is what is traced.
    expect(traces).toEqual([]);
  });

  it('says what its caller was told of the cut, and is no fault of the caller', () => {
    const { context, outcomes } = open();
    recordServedRequest(context, { ended: 'upstream_cut', failure: upstream(400) }, steps);
    expect(outcomes).toMatchObject([{ outcome: 'failed', row: { content: 'no' } }]);
  });
});

it('a request that its client left counts as nothing, and has a row where a channel was tried', () => {
  const { context, outcomes, traces, other } = open();
  recordAbandonedRequest(context, []);
  expect([outcomes, traces]).toEqual([[], []]);
  recordAbandonedRequest(context, steps);
  expect(outcomes).toMatchObject([{ outcome: null, row: { modelName: 'm', isStream: true } }]);
  expect(other()).toMatchObject({ admin_info: { use_channel: ['6', '7'] } });
  expect(traces).toMatchObject([{ attempts: steps, model: 'm' }]);
});

describe('a request that was refused before a channel', () => {
  const modelOf = (error: AppError, route: object) => {
    const { context, outcomes, traces } = open({ route: { path: '/v1/x', ...route } });
    recordRefusedRequest(context, error);
    expect(outcomes).toMatchObject([{ outcome: 'failed', row: { isStream: false, channelId: 0 } }]);
    expect(traces).toMatchObject([{ attempts: [] }]);
    return outcomes[0]?.row?.['modelName'];
  };
  it('names the model of its error, else that of its path', () => {
    expect(modelOf(new AppError('model_price_error', { model: 'e' }), { model: 'p' })).toBe('e');
    expect(modelOf(new AppError('internal_error'), { model: 'p' })).toBe('p');
    expect(modelOf(new AppError('internal_error'), {})).toBe('');
  });
  it('by its caller is counted alone', () => {
    const { context, outcomes } = open();
    recordRefusedRequest(context, new AppError('invalid_parameter'));
    expect(outcomes).toEqual([{ user: 4, outcome: 'refused', row: undefined }]);
  });
});
