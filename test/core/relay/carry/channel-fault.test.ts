/**
 * Channels that are to be switched off while the database is away
 * (docs/rules/routing.md#auto-disable).
 */
import { expect, test, vi } from 'vitest';
import { AppError } from '../../../../src/core/kernel/errors.ts';
import { errorReply } from '../../../support/upstream.ts';
import { fine, startRelay, upstream } from '../select/relay-support.ts';

const wrongKey = errorReply(401, { message: 'Incorrect API key', code: 'invalid_api_key' });

test.each([
  ['a channel', 'key-1', {}],
  ['a key', 'key-1\nkey-2', { setting: JSON.stringify({ multi_key_mode: 'polling' }) }],
] as const)(
  '%s that could not be written serves again, and is switched off later',
  async (_, key, fields) => {
    const relay = await startRelay({ AutomaticDisableChannelEnabled: true, RetryTimes: 0 });
    const at = await upstream();
    const id = await relay.addChannel(at, { key, ...fields });
    const { channels } = relay.app.storage;
    const away = () => Promise.reject(new AppError('database_unavailable'));
    const writes = [
      vi.spyOn(channels, 'setStatus').mockImplementation(away),
      vi.spyOn(channels, 'disableKey').mockImplementation(away),
    ];
    const isWritten = () => writes.some((write) => write.mock.calls.length > 0);
    const serving = () =>
      expect.poll(async () => (await relay.chat()).status, { timeout: 30_000 }).toBe(200);

    at.answer(wrongKey);
    while (!isWritten()) await relay.chat();
    at.answer(fine);
    const keys = new Set<unknown>();
    const before = at.requests.length;
    for (const _key of key.split('\n')) await serving();
    for (const { headers } of at.requests.slice(before)) keys.add(headers.authorization);
    expect(keys.size).toBe(key.split('\n').length);

    for (const write of writes) write.mockRestore();
    at.answer(wrongKey);
    await expect
      .poll(
        async () => {
          await relay.chat();
          const { status, multi_key: keyed } = await relay.operator.channel.get({ id });
          return status === 3 || (keyed?.disabled.length ?? 0) > 0;
        },
        { timeout: 30_000 },
      )
      .toBe(true);
  },
);
