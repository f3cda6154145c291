import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { AppError } from '../../../../src/core/kernel/errors.ts';
import { silentLogger } from '../../../../src/core/kernel/logger.ts';
import { settleThenSend } from '../../../../src/core/relay/carry/settle-then-send.ts';
import { anthropicFamily } from '../../../../src/core/relay/formats/families/anthropic.ts';

type Job = Parameters<typeof settleThenSend>[0];
type Outcome = Parameters<typeof settleThenSend>[1];

/** `began`: whether something of the answer was sent. */
function jobWith(settle: () => Promise<undefined>, began: boolean) {
  let text = '';
  let status = 0;
  const write = (chunk: Buffer, _: string, done: () => void) => {
    text += chunk.toString();
    done();
  };
  const response = Object.assign(new Writable({ write }), {
    headersSent: began,
    writeHead: (given: number) => {
      status = given;
    },
  });
  const job = {
    bill: { settle },
    deps: { logger: silentLogger },
    language: 'en',
    requestId: 'id',
    response,
    route: { family: anthropicFamily },
  } as unknown as Job;
  return { job, reply: () => ({ status, text }) };
}

it('sends no uncharged output and tries no other channel', async () => {
  const { job, reply } = jobWith(() => Promise.reject(new Error('refused')), true);
  let sent = false;
  await settleThenSend(job, {} as Outcome, () => {
    sent = true;
  });
  expect([sent, job.response.destroyed, reply().text]).toEqual([false, true, '']);
});

it('is an error in the format of the caller where nothing was sent', async () => {
  const { job, reply } = jobWith(() => Promise.reject(new AppError('ledger_unavailable')), false);
  await settleThenSend(job, {} as Outcome, () => {});
  expect([reply().status, JSON.parse(reply().text)]).toMatchObject([
    503,
    { type: 'error', error: { message: expect.stringContaining('The ledger is not available') } },
  ]);
});

it('ends the connection where the end cannot be written', async () => {
  const { job } = jobWith(() => Promise.resolve(undefined), true);
  await settleThenSend(job, {} as Outcome, () => {
    throw new Error('unwritable');
  });
  expect(job.response.destroyed).toBe(true);
});
