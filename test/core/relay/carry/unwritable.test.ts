import { afterEach, expect, it, vi } from 'vitest';
import { anthropicMessages } from '../../../../src/core/relay/formats/anthropic-messages/index.ts';
import { startCallBench, startQuota } from '../../../support/calls.ts';

afterEach(() => vi.restoreAllMocks());

it('a reply that cannot be encoded for its caller is rejected and costs nothing', async () => {
  const bench = await startCallBench('gpt-4o-mini');
  try {
    const writing = vi.spyOn(anthropicMessages, 'writeReply').mockImplementation(() => {
      throw new TypeError('unwritable');
    });
    const { key, userId } = await bench.gateway.addCustomer(startQuota);
    const body = JSON.stringify({
      model: 'gpt-4o-mini',
      max_tokens: 10,
      messages: [{ role: 'user', content: 'hi' }],
    });
    const ask = () => bench.post('/v1/messages', key, body);
    expect((await ask()).status).toBeGreaterThanOrEqual(500);
    expect(await bench.spent(userId)).toBe(0);
    writing.mockRestore();
    expect((await ask()).status).toBe(200);
    expect(await bench.spent(userId)).toBeGreaterThan(0);
  } finally {
    await bench.close();
  }
});
