/** The end of a reply waits until its response is stored (docs/rules/responses.md#stored). */
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { silentLogger } from '../../../../src/core/kernel/logger.ts';
import { keepingResponse } from '../../../../src/core/relay/admit/keep-response.ts';
import { settleThenSend } from '../../../../src/core/relay/carry/settle-then-send.ts';
import type { ConversationState } from '../../../../src/core/relay/formats/shared/conversation-state.ts';
import type { RelayJob } from '../../../../src/core/relay/job.ts';

type Body = Parameters<typeof keepingResponse>[2]['body'];
type Outcome = Parameters<typeof settleThenSend>[1];

const state = {
  keeps: () => true,
  finishedIn: (end: string) =>
    end === 'the end'
      ? { id: 'resp_1', status: 'completed', itemIds: [], response: {} }
      : undefined,
} as unknown as ConversationState;

/** A job with what it did so far. */
function setUp(keep: () => Promise<void>) {
  const done: string[] = [];
  const response = new PassThrough();
  response.on('data', (chunk: Buffer) => void done.push(`sent ${chunk}`));
  const job = {
    response,
    deps: { logger: silentLogger, responses: { keep } },
    caller: { userId: 1 },
    model: 'm',
    requestId: 'r',
    bill: { settle: async () => void done.push('charged') },
  } as unknown as RelayJob;
  const kept = keepingResponse(job, state, {
    body: { get: () => 'hi' } as unknown as Body,
    previousId: undefined,
  });
  const outcome = { channel: { id: 1, healthKeys: [], provider: {} } } as unknown as Outcome;
  const send = (text: string) =>
    settleThenSend(kept, outcome, () => void response.end(text)).then(() => void done.push('over'));
  return { done, send };
}

const moment = () => new Promise((resolve) => setImmediate(resolve));

test('the end is sent when the response is stored, and the request is over after that', async () => {
  const stored = Promise.withResolvers<void>();
  const { done, send } = setUp(() => stored.promise);
  const sending = send('the end');
  await moment();
  expect(done).toEqual(['charged']);
  stored.resolve();
  await sending;
  await moment();
  expect(done).toEqual(['charged', 'sent the end', 'over']);
});

test('an end without a response, and one that cannot be handed over, are sent at once', async () => {
  const never = () => new Promise<void>(() => {});
  const fails = () => {
    throw new Error('no room');
  };
  for (const [keep, text] of [
    [never, 'an error'],
    [fails, 'the end'],
  ] as const) {
    const { done, send } = setUp(keep);
    await send(text);
    await moment();
    expect(done).toContain(`sent ${text}`);
  }
});
