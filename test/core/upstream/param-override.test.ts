// Covers src/core/upstream/rules.
/**
 * Operations of `param_override`: what each does to a body and its headers
 * (docs/rules/channel-rules.md#param-override).
 */
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../src/core/kernel/errors.ts';
import type { JsonValue } from '../../../src/core/kernel/json.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import { OverrideState } from '../../../src/core/upstream/rules/override-step.ts';
import { RuleRefusal, readParamOverride } from '../../../src/core/upstream/rules/param-override.ts';
import type { RequestFacts } from '../../../src/core/upstream/rules/request-facts.ts';

const facts: RequestFacts = {
  requestedModel: 'public-name',
  upstreamModel: 'gpt-x',
  path: '/v1/chat/completions',
  callerHeaders: { 'user-agent': 'codex/1', 'x-trace': 't-1' },
  key: new Secret('k-1'),
  retries: 1,
  lastFailure: { status: 429, code: 'rate_limit_exceeded', message: 'slow down' },
  isTest: false,
};

const sent = { 'content-type': 'application/json', 'anthropic-beta': 'old, gone, other' };

function run(
  body: JsonValue,
  operation: object | readonly object[],
  known: Partial<RequestFacts> = {},
): OverrideState {
  const operations = [operation].flat();
  const override = readParamOverride(JSON.stringify({ operations }));
  const state = new OverrideState(
    { ...facts, ...known },
    body,
    new Map([['x-static', 'kept']]),
    sent,
  );
  for (const step of override?.steps ?? []) step(state);
  return state;
}

const complaint = (text: string): unknown => {
  try {
    readParamOverride(text);
  } catch (error) {
    return error instanceof AppError
      ? `${error.code} ${error.params['field']} ${error.params['reason']}`
      : error;
  }
  return 'accepted';
};

describe('bodies', () => {
  const chat = {
    model: 'gpt-x',
    messages: [
      { role: 'system', content: 'a' },
      { role: 'user', content: 'b' },
    ],
    n: 2,
  };
  test.each<[string, JsonValue, object, JsonValue]>([
    ['set', {}, { mode: 'set', path: 'a.b.0', value: 1 }, { a: { b: [1] } }],
    ['set on null', { a: null }, { mode: 'set', path: 'a.b', value: 1 }, { a: { b: 1 } }],
    [
      'set keeps what is there',
      { a: 0 },
      { mode: 'set', path: 'a', value: 1, keep_origin: true },
      { a: 0 },
    ],
    [
      'set fills what is missing',
      {},
      { mode: 'set', path: 'a', value: 1, keep_origin: true },
      { a: 1 },
    ],
    ['set null', { a: 1 }, { mode: 'set', path: 'a', value: null }, { a: null }],
    ['set goes through no text', { a: 'x' }, { mode: 'set', path: 'a.b', value: 1 }, { a: 'x' }],
    ['set at the last', { a: [1, 2] }, { mode: 'set', path: 'a.-1', value: 3 }, { a: [1, 3] }],
    ['set behind the last', { a: [1] }, { mode: 'set', path: 'a.1', value: 2 }, { a: [1, 2] }],
    ['a dot in a name', { 'a.b': 1 }, { mode: 'set', path: 'a\\.b', value: 2 }, { 'a.b': 2 }],
    [
      'a name that is special',
      {},
      { mode: 'set', path: '__proto__.x', value: 1 },
      JSON.parse('{"__proto__":{"x":1}}'),
    ],
    ['delete', { a: 1, b: { c: 2, d: 3 } }, { mode: 'delete', path: 'b.c' }, { a: 1, b: { d: 3 } }],
    [
      'delete in a list',
      chat,
      { mode: 'delete', path: 'messages.0' },
      { ...chat, messages: [{ role: 'user', content: 'b' }] },
    ],
    ['delete what is not there', { a: 1 }, { mode: 'delete', path: 'b.c.d' }, { a: 1 }],
    [
      'delete of every child',
      { a: [{ x: 1, y: 1 }, { x: 2 }] },
      { mode: 'delete', path: 'a.*.x' },
      { a: [{ y: 1 }, {}] },
    ],
    [
      'move',
      { max_tokens: 5 },
      { mode: 'move', from: 'max_tokens', to: 'limits.most' },
      { limits: { most: 5 } },
    ],
    ['move of nothing', { a: 1 }, { mode: 'move', from: 'b', to: 'c' }, { a: 1 }],
    ['copy', { a: [1] }, { mode: 'copy', from: 'a.0', to: 'b' }, { a: [1], b: 1 }],
    ['append to a text', { a: 'x' }, { mode: 'append', path: 'a', value: 'y' }, { a: 'xy' }],
    [
      'append an item',
      { a: [1] },
      { mode: 'append', path: 'a', value: { b: 1 } },
      { a: [1, { b: 1 }] },
    ],
    ['append items', { a: [1] }, { mode: 'append', path: 'a', value: [2, 3] }, { a: [1, 2, 3] }],
    [
      'append fields',
      { a: { b: 1, c: 1 } },
      { mode: 'append', path: 'a', value: { c: 2 } },
      { a: { b: 1, c: 2 } },
    ],
    [
      'append fields, own ones first',
      { a: { c: 1 } },
      { mode: 'append', path: 'a', value: { c: 2, d: 2 }, keep_origin: true },
      { a: { c: 1, d: 2 } },
    ],
    ['append to nothing', {}, { mode: 'append', path: 'a', value: 'y' }, {}],
    ['prepend to a text', { a: 'x' }, { mode: 'prepend', path: 'a', value: 'y' }, { a: 'yx' }],
    ['prepend items', { a: [3] }, { mode: 'prepend', path: 'a', value: [1, 2] }, { a: [1, 2, 3] }],
    [
      'trim_prefix',
      { a: 'openai/gpt' },
      { mode: 'trim_prefix', path: 'a', value: 'openai/' },
      { a: 'gpt' },
    ],
    [
      'trim_suffix',
      { a: 'gpt-free' },
      { mode: 'trim_suffix', path: 'a', value: '-free' },
      { a: 'gpt' },
    ],
    [
      'ensure_prefix',
      { a: ['x/a', 'b'] },
      { mode: 'ensure_prefix', path: 'a.*', value: 'x/' },
      { a: ['x/a', 'x/b'] },
    ],
    ['ensure_suffix', { a: 'b' }, { mode: 'ensure_suffix', path: 'a', value: '.' }, { a: 'b.' }],
    ['trim_space', { a: ' b\n' }, { mode: 'trim_space', path: 'a' }, { a: 'b' }],
    ['to_lower', { a: 'AbC' }, { mode: 'to_lower', path: 'a' }, { a: 'abc' }],
    ['to_upper', { a: 'AbC' }, { mode: 'to_upper', path: 'a' }, { a: 'ABC' }],
    [
      'replace',
      { a: 'a.b.c' },
      { mode: 'replace', path: 'a', from: '.', to: '$&' },
      { a: 'a$&b$&c' },
    ],
    [
      'regex_replace',
      { a: 'v12 v3' },
      { mode: 'regex_replace', path: 'a', from: 'v(\\d+)', to: '<$1>' },
      { a: '<12> <3>' },
    ],
    [
      'regex_replace with braces',
      { a: 'v1' },
      { mode: 'regex_replace', path: 'a', from: '(\\d)', to: `\${1}0` },
      { a: 'v10' },
    ],
    ['texts only', { a: 12 }, { mode: 'to_upper', path: 'a' }, { a: 12 }],
  ])('%s', (_, body, operation, expected) => {
    const before = JSON.stringify(body);
    expect(run(body, operation).body).toEqual(expected);
    expect(JSON.stringify(body)).toBe(before);
  });

  test('operations run in order, each on the result of the previous one', () => {
    const body = run({ a: 'x' }, [
      { mode: 'append', path: 'a', value: 'y' },
      { mode: 'copy', from: 'a', to: 'b' },
    ]).body;
    expect(body).toEqual({ a: 'xy', b: 'xy' });
  });

  test.each<[string, JsonValue, object, JsonValue]>([
    [
      'by their type, at any depth',
      {
        messages: [
          { content: [{ type: 'thinking' }, { type: 'text', inner: { type: 'thinking' } }] },
        ],
      },
      { mode: 'prune_objects', value: 'thinking' },
      { messages: [{ content: [{ type: 'text' }] }] },
    ],
    [
      'under a path only',
      { a: [{ type: 'x' }], b: [{ type: 'x' }] },
      { mode: 'prune_objects', path: 'a', value: { type: 'x' } },
      { a: [], b: [{ type: 'x' }] },
    ],
    [
      'direct children only',
      { tools: [{ type: 'x' }, { type: 'y', of: [{ type: 'x' }] }] },
      { mode: 'prune_objects', path: 'tools', value: { where: { type: 'x' }, recursive: false } },
      { tools: [{ type: 'y', of: [{ type: 'x' }] }] },
    ],
    [
      'where all of it holds',
      {
        a: [
          { type: 'x', n: 1 },
          { type: 'x', n: 2 },
        ],
      },
      { mode: 'prune_objects', path: 'a', value: { where: { type: 'x', n: 1 } } },
      { a: [{ type: 'x', n: 2 }] },
    ],
    [
      'where any of it holds',
      { a: [{ n: 1 }, { n: 5 }, { n: 9 }] },
      {
        mode: 'prune_objects',
        path: 'a',
        value: {
          logic: 'OR',
          conditions: [
            { path: 'n', mode: 'lt', value: 2 },
            { path: 'n', mode: 'gt', value: 8 },
          ],
        },
      },
      { a: [{ n: 5 }] },
    ],
  ])('prune_objects: %s', (_, body, operation, expected) => {
    expect(run(body, operation).body).toEqual(expected);
  });
});

describe('conditions', () => {
  const applies = (
    conditions: unknown,
    logic = 'AND',
    body: JsonValue = { model: 'gpt-4o', n: 3, s: { t: true } },
  ) =>
    run(body, { mode: 'set', path: 'hit', value: true, conditions, logic }).valueAt(['hit']) ===
    true;

  test.each<[boolean, object]>([
    [true, { path: 'model', value: 'gpt-4o' }],
    [false, { path: 'model', mode: 'full', value: 'gpt' }],
    [true, { path: 'model', mode: 'prefix', value: 'gpt' }],
    [true, { path: 'model', mode: 'suffix', value: '4o' }],
    [true, { path: 'model', mode: 'contains', value: '-' }],
    [false, { path: 'model', mode: 'contains', value: 'claude' }],
    [true, { path: 'model', mode: 'contains', value: 'claude', invert: true }],
    [true, { path: 'n', mode: 'gt', value: 2 }],
    [true, { path: 'n', mode: 'gte', value: 3 }],
    [false, { path: 'n', mode: 'lt', value: 3 }],
    [true, { path: 'n', mode: 'lte', value: 3 }],
    [false, { path: 'n', mode: 'gt', value: '2' }],
    [true, { path: 's', value: { t: true } }],
    [false, { path: 'missing', value: 1, invert: true }],
    [true, { path: 'missing', value: 1, pass_missing_key: true }],
    [true, { path: 'original_model', value: 'public-name' }],
    [true, { path: 'upstream_model', value: 'gpt-x' }],
    [true, { path: 'request_path', mode: 'suffix', value: '/completions' }],
    [true, { path: 'request_headers.user-agent', mode: 'prefix', value: 'codex' }],
    [true, { path: 'header_override.x-static', value: 'kept' }],
    [true, { path: 'retry.index', mode: 'gte', value: 1 }],
    [true, { path: 'is_retry', value: true }],
    [true, { path: 'last_error.status_code', value: 429 }],
    [true, { path: 'last_error_code', value: 'rate_limit_exceeded' }],
    [false, { path: 'is_channel_test', value: true }],
  ])('%s for %o', (expected, condition) => {
    expect(applies([condition])).toBe(expected);
  });

  test('any condition suffices unless AND; an object means equality', () => {
    const [yes, no] = [
      { path: 'n', value: 3 },
      { path: 'n', value: 4 },
    ];
    expect(applies([yes, no], 'OR')).toBe(true);
    expect(applies([yes, no], 'AND')).toBe(false);
    expect(applies([no], 'OR')).toBe(false);
    expect(applies({ n: 3 })).toBe(true);
    expect(applies({ n: 4 })).toBe(false);
    expect(
      run({ n: 3 }, { mode: 'set', path: 'hit', value: 1, conditions: [yes, no] }).body,
    ).toMatchObject({ hit: 1 });
  });

  test('a path with a star matches if one of its values does', () => {
    const body = { messages: [{ role: 'user' }, { role: 'tool' }] };
    expect(applies([{ path: 'messages.*.role', value: 'tool' }], 'AND', body)).toBe(true);
    expect(applies([{ path: 'messages.*.role', value: 'system' }], 'AND', body)).toBe(false);
  });
});

describe('headers', () => {
  const headers = (operation: object | readonly object[], body: JsonValue = {}) =>
    Object.fromEntries(run(body, operation).headers);

  test.each<[string, object, Record<string, string | null>]>([
    ['set', { mode: 'set_header', path: 'X-A', value: 'v' }, { 'x-a': 'v' }],
    [
      'set with placeholders',
      { mode: 'set_header', path: 'x-a', value: 'K {api_key}' },
      { 'x-a': 'K k-1' },
    ],
    [
      'set from a caller',
      { mode: 'set_header', path: 'x-a', value: '{client_header:X-Trace}' },
      { 'x-a': 't-1' },
    ],
    ['set from nothing', { mode: 'set_header', path: 'x-a', value: '{client_header:x-none}' }, {}],
    [
      'set keeps',
      { mode: 'set_header', path: 'x-static', value: 'v', keep_origin: true },
      { 'x-static': 'kept' },
    ],
    ['delete', { mode: 'delete_header', path: 'Content-Type' }, { 'content-type': null }],
    ['copy', { mode: 'copy_header', from: 'x-trace', to: 'x-b' }, { 'x-b': 't-1' }],
    ['copy of nothing', { mode: 'copy_header', from: 'x-none', to: 'x-b' }, {}],
    [
      'move',
      { mode: 'move_header', from: 'x-static', to: 'x-b' },
      { 'x-b': 'kept', 'x-static': null },
    ],
    ['pass', { mode: 'pass_headers', value: ['X-Trace', 'x-none'] }, { 'x-trace': 't-1' }],
    [
      'pass a comma list',
      { mode: 'pass_headers', value: 'x-trace, user-agent' },
      { 'x-trace': 't-1', 'user-agent': 'codex/1' },
    ],
    [
      'rewrite a list',
      {
        mode: 'set_header',
        path: 'anthropic-beta',
        value: { old: 'new', gone: null, $append: ['more', 'new'] },
      },
      { 'anthropic-beta': 'new,other,more' },
    ],
    [
      'keep only what is named',
      {
        mode: 'set_header',
        path: 'anthropic-beta',
        value: { old: 'old', $keep_only_declared: true },
      },
      { 'anthropic-beta': 'old' },
    ],
    [
      'empty lists go',
      { mode: 'set_header', path: 'anthropic-beta', value: { '*': null } },
      { 'anthropic-beta': null },
    ],
  ])('%s', (_, operation, expected) => {
    expect(headers(operation)).toEqual({ 'x-static': 'kept', ...expected });
  });

  test('sync_fields fills the side that is empty', () => {
    const operation = { mode: 'sync_fields', from: 'header:x-trace', to: 'json:metadata.trace' };
    expect(run({}, operation).body).toEqual({ metadata: { trace: 't-1' } });
    const back = run({ metadata: { trace: 't-2' } }, { ...operation, from: 'header:x-other' });
    expect(back.headers.get('x-other')).toBe('t-2');
    const both = run({ metadata: { trace: 't-2' } }, operation);
    expect([both.body, both.headers.has('x-trace')]).toEqual([
      { metadata: { trace: 't-2' } },
      false,
    ]);
  });
});

describe('return_error', () => {
  const refusal = (value: unknown): RuleRefusal => {
    try {
      run({}, { mode: 'return_error', value });
    } catch (error) {
      if (error instanceof RuleRefusal) return error;
    }
    throw new Error('it did not refuse');
  };
  test('a text is a 400 that is not retried', () => {
    const { answer, mayRetry } = refusal('no');
    expect(answer).toEqual({
      message: 'no',
      status: 400,
      type: 'invalid_request_error',
      code: 'invalid_request',
    });
    expect(mayRetry).toBe(false);
  });
  test('an object sets status, code and retry', () => {
    const { answer, mayRetry } = refusal({
      message: 'no',
      status_code: 422,
      code: 'c',
      type: 't',
      skip_retry: false,
    });
    expect([answer, mayRetry]).toEqual([
      { message: 'no', status: 422, type: 't', code: 'c' },
      true,
    ]);
  });
});

describe('what is refused on save', () => {
  test.each<[object, string]>([
    [{ operations: {} }, 'param_override.operations rule.shape'],
    [{ operations: [7] }, 'param_override.operations.0 rule.shape'],
    [{ operations: [{}] }, 'param_override.operations.0.mode rule.missing'],
    [
      { operations: [{ mode: 'explode', path: 'a' }] },
      'param_override.operations.0.mode rule.choice',
    ],
    [
      { operations: [{ mode: 'toString', path: 'a' }] },
      'param_override.operations.0.mode rule.choice',
    ],
    [
      { operations: [{ mode: 'set', path: 'a' }] },
      'param_override.operations.0.value rule.missing',
    ],
    [{ operations: [{ mode: 'set', value: 1 }] }, 'param_override.operations.0.path rule.missing'],
    [
      { operations: [{ mode: 'set', path: 'a..b', value: 1 }] },
      'param_override.operations.0.path rule.path',
    ],
    [
      { operations: [{ mode: 'set', path: 'a.#(b=="c")', value: 1 }] },
      'param_override.operations.0.path rule.path',
    ],
    [
      { operations: [{ mode: 'set', path: 'a', value: 1, keep_origin: 'yes' }] },
      'param_override.operations.0.keep_origin rule.boolean',
    ],
    [
      {
        operations: [
          { mode: 'set', path: 'a', value: 1 },
          { mode: 'move', from: 'a' },
        ],
      },
      'param_override.operations.1.to rule.missing',
    ],
    [
      { operations: [{ mode: 'regex_replace', path: 'a', from: '(' }] },
      'param_override.operations.0.from rule.pattern',
    ],
    [
      { operations: [{ mode: 'regex_replace', path: 'a', from: '(a)\\1' }] },
      'param_override.operations.0.from rule.pattern',
    ],
    [
      { operations: [{ mode: 'regex_replace', path: 'a', from: '(a{1000}){1000}' }] },
      'param_override.operations.0.from rule.pattern',
    ],
    [
      { operations: [{ mode: 'set_header', path: 'host', value: 'x' }] },
      'param_override.operations.0.path rule.header',
    ],
    [
      { operations: [{ mode: 'set_header', path: 'x-a', value: 'a\nb' }] },
      'param_override.operations.0.value rule.headerValue',
    ],
    [
      { operations: [{ mode: 'set_header', path: 'x-a', value: '{client_header:Authorization}' }] },
      'param_override.operations.0.value rule.headerValue',
    ],
    [
      { operations: [{ mode: 'pass_headers', value: ['cookie'] }] },
      'param_override.operations.0.value rule.header',
    ],
    [
      { operations: [{ mode: 'return_error', value: { message: 'x', status_code: 200 } }] },
      'param_override.operations.0.value.status_code rule.errorStatus',
    ],
    [
      { operations: [{ mode: 'prune_objects', value: {} }] },
      'param_override.operations.0.value rule.missing',
    ],
    [
      {
        operations: [
          { mode: 'delete', path: 'a', conditions: [{ path: 'b', mode: 'like', value: 1 }] },
        ],
      },
      'param_override.operations.0.conditions.0.mode rule.choice',
    ],
    [
      { operations: [{ mode: 'delete', path: 'a', conditions: [{ path: 'b' }] }] },
      'param_override.operations.0.conditions.0.value rule.missing',
    ],
    [
      { operations: [{ mode: 'delete', path: 'a', logic: 'XOR' }] },
      'param_override.operations.0.logic rule.choice',
    ],
  ])('%o', (override, expected) => {
    expect(complaint(JSON.stringify(override))).toBe(`channel_rule_invalid ${expected}`);
  });
  test.each([
    ['\\s+$', `${' '.repeat(1_000_000)}x`],
    ['(a+)+$', `${'a'.repeat(1_000_000)}x`],
    ['(.*)*=', 'b'.repeat(1_000_000)],
  ])('%s takes no longer than the text is long', (from, text) => {
    // With backtracking this would run for minutes or for ever, and the test would time out.
    expect(run({ a: text }, { mode: 'regex_replace', path: 'a', from, to: '' }).body).toEqual({
      a: text,
    });
  });
  test('patterns of RE2 are accepted', () => {
    for (const from of [
      '(a|b)c',
      'a+b*',
      '[(+*]+',
      '(?:ab)?c{2}',
      '(\\(+)x',
      '^v\\d+(?:\\.\\d+)?$',
    ]) {
      expect(
        complaint(
          JSON.stringify({ operations: [{ mode: 'regex_replace', path: 'a', from, to: '' }] }),
        ),
      ).toBe('accepted');
    }
  });
});
