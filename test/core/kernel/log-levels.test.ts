/** Levels by part (docs/rules/process.md#log-levels), as flags and variables set them. */
import { expect, test } from 'vitest';
import { loadConfig } from '../../../src/core/config/load.ts';
import { logParts, readLogLevels } from '../../../src/core/kernel/log-levels.ts';
import { createTestApp } from '../../support/app.ts';

test('a level for all, and others for parts', () => {
  expect(readLogLevels('info')).toEqual({ level: 'info', parts: {} });
  expect(readLogLevels(' WARN, relay = debug ,jobs=silent')).toEqual({
    level: 'warn',
    parts: { relay: 'debug', jobs: 'silent' },
  });
  expect(readLogLevels('relay=debug')).toEqual({ level: 'info', parts: { relay: 'debug' } });
  for (const wrong of [
    '',
    'loud',
    'info,',
    'info,warn',
    'rely=debug',
    'relay=loud',
    'relay=debug=x',
    'relay=info,relay=warn',
    'toString=info',
  ])
    expect([wrong, readLogLevels(wrong)]).toEqual([wrong, undefined]);
});

test('a wrong name is refused with the list', () => {
  const load = (flags: Record<string, string>, environment: Record<string, string> = {}) =>
    loadConfig({ flags, environment, cwd: '/nonexistent' });
  expect(() => load({ 'log-level': 'info,rely=debug' })).toThrow(
    expect.objectContaining({
      code: 'invalid_parameter',
      params: expect.objectContaining({
        value: 'info,rely=debug',
        allowed: expect.stringContaining(logParts.join(', ')),
      }),
    }),
  );
  const { config, warnings } = load({}, { LOG_LEVEL: 'info,rely=debug' });
  expect(config.logLevel).toBe('info');
  expect(warnings).toEqual([
    expect.stringMatching(
      /^LOG_LEVEL is not usable \(info,rely=debug\); using info \(it takes debug, .*tasks\)$/,
    ),
  ]);
  expect(load({}, { TURNPIKE_LOG_LEVEL: 'info,relay=debug' }).config.logLevel).toBe(
    'info,relay=debug',
  );
});

test('each part of a running site writes under its name', async () => {
  const asked: string[] = [];
  const silent = { debug() {}, info() {}, warn() {}, error() {} };
  await createTestApp({}, true, undefined, {
    ...silent,
    part: (name) => {
      asked.push(name);
      return silent;
    },
  });
  expect([...new Set(asked)].sort()).toEqual([...logParts]);
});
