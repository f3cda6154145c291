import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import type { ClientReply } from '../../../../src/core/relay/client/client.ts';
import { ReplyWriter } from '../../../../src/core/relay/client/reply-writer.ts';

/** A client that takes 10 bytes before it has to be waited for, and reads on demand. */
function startReply() {
  const received: string[] = [];
  const waiting: (() => void)[] = [];
  const stream = new Writable({
    highWaterMark: 10,
    decodeStrings: false,
    write: (chunk, _encoding, done) => {
      received.push(String(chunk));
      waiting.push(done);
    },
  });
  const response = Object.assign(stream, { statusCode: 200, headersSent: true });
  return {
    received,
    response: response as Writable as ClientReply,
    read: () => {
      const drained = new Promise((resolve) => stream.once('drain', resolve));
      while (waiting.length > 0) waiting.shift()?.();
      return drained;
    },
  };
}

function startWriter(pingInterval: number) {
  const reply = startReply();
  const clock = { time: 0, now: () => clock.time };
  const slowed: boolean[] = [];
  const job = { response: reply.response, policy: { pingInterval }, deps: { clock } };
  const writer = new ReplyWriter(job, (isFull) => slowed.push(isFull));
  return { ...reply, clock, slowed, writer };
}

test('a client that does not read slows down until it has', async () => {
  const { writer, slowed, read } = startWriter(0);
  writer.write('short');
  expect([slowed, writer.isFull]).toEqual([[], false]);
  writer.write('longer than ten bytes');
  writer.write('and more');
  expect([slowed, writer.isFull]).toEqual([[true], true]);
  await read();
  expect([slowed, writer.isFull]).toEqual([[true, false], false]);
});

test('a client that has left slows nothing down', () => {
  const { writer, slowed } = startWriter(0);
  writer.write('longer than ten bytes');
  writer.leave();
  expect([slowed, writer.isFull]).toEqual([[true, false], false]);
});

test('pings come only where nothing was written for their interval', () => {
  const { writer, clock, received, read } = startWriter(100);
  clock.time = 1000;
  writer.write('event');
  clock.time = 1099;
  writer.ping(': early');
  clock.time = 1100;
  writer.ping(': ping');
  void read();
  expect(received).toEqual(['event', ': ping']);
});
