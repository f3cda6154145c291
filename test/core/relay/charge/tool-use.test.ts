/** Containers that later requests use again (docs/rules/pricing.md#containers). */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type CallBench, startCallBench, startQuota } from '../../../support/calls.ts';
import { vendorReply } from '../../../support/vendor-replies.ts';

let bench: CallBench;
beforeAll(async () => {
  bench = await startCallBench('gpt-6-sol');
});
afterAll(() => bench.close());

it('a container is paid once for the time in which several requests use it', async () => {
  const { key, username } = await bench.gateway.addCustomer(startQuota);
  const minutesOf = async (at: string, tool: object) => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(at) });
    bench.upstream.answer(
      vendorReply({
        prompt: 1000,
        output: 100,
        reply: {
          tools: [{ type: 'code_interpreter', ...tool }],
          output: [{ id: 'ci_1', type: 'code_interpreter_call', container_id: 'cntr_1' }],
        },
      }),
    );
    const body = JSON.stringify({ model: 'gpt-6-sol', input: 'hi' });
    const reply = await bench.post('/v1/responses', key, body);
    expect(reply.status).toBe(200);
    await reply.text();
    return (await bench.newestLog(username)).other['tool_calls'];
  };
  const made = { container: { type: 'auto', memory_limit: '4g' } };
  const again = { container: 'cntr_1' };
  const large = (count: number) => ({ container_minute_4g: { count, price: 0.006 } });
  expect(await minutesOf('2026-11-25T02:00:00Z', made)).toEqual(large(5));
  expect(await minutesOf('2026-11-25T02:04:00Z', again)).toBeUndefined();
  expect(await minutesOf('2026-11-25T03:00:00Z', again)).toEqual({
    container_minute: { count: 5, price: 0.0015 },
  });
});
