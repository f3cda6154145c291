// Covers src/ui/client.
import { expect, test, vi } from 'vitest';
import { api } from '../../src/core/contract/index.ts';
import { answerStepUps, withStepUp } from '../../src/ui/client/step-up.ts';

const refusal = {
  status: 200,
  body: { success: false, code: 'step_up_required', message: 'Confirm first' },
};
const success = { status: 200, body: { success: true, message: '', data: 'token' } };

test('calls that wait share one question, and are made again once', async () => {
  let isConfirmed = false;
  const send = vi.fn(async () => (isConfirmed ? success : refusal));
  const ask = vi.fn(async () => {
    isConfirmed = true;
    return true;
  });
  answerStepUps(ask);
  const transport = withStepUp(send);
  const replies = await Promise.all([
    transport(api.self.systemToken, {}),
    transport(api.secondFactor.removeTotp, {}),
  ]);
  expect(replies).toEqual([success, success]);
  expect([ask.mock.calls.length, send.mock.calls.length]).toEqual([1, 4]);
});

test('who leaves the question gets the refusal, and is asked again by the next call', async () => {
  const send = vi.fn(async () => refusal);
  const ask = vi.fn(async () => false);
  answerStepUps(ask);
  const transport = withStepUp(send);
  expect(await transport(api.self.systemToken, {})).toBe(refusal);
  expect(await transport(api.self.systemToken, {})).toBe(refusal);
  expect([ask.mock.calls.length, send.mock.calls.length]).toEqual([2, 2]);
});
