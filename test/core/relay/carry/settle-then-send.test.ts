import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { silentLogger } from '../../../../src/core/kernel/logger.ts';
import { settleThenSend } from '../../../../src/core/relay/carry/settle-then-send.ts';

type Job = Parameters<typeof settleThenSend>[0];
type Outcome = Parameters<typeof settleThenSend>[1];

function jobWith(settle: () => Promise<undefined>): Job {
  return {
    bill: { settle },
    deps: { logger: silentLogger },
    requestId: 'id',
    response: new Writable(),
  } as unknown as Job;
}

it('sends no uncharged output and tries no other channel', async () => {
  const job = jobWith(() => Promise.reject(new Error('refused')));
  let sent = false;
  await settleThenSend(job, {} as Outcome, () => {
    sent = true;
  });
  expect([sent, job.response.destroyed]).toEqual([false, true]);
});

it('ends the connection where the end cannot be written', async () => {
  const job = jobWith(() => Promise.resolve(undefined));
  await settleThenSend(job, {} as Outcome, () => {
    throw new Error('unwritable');
  });
  expect(job.response.destroyed).toBe(true);
});
