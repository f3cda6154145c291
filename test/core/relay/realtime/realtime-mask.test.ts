/**
 * A hostile upstream repeats its key and address in every kind of error on an open connection: none
 * reaches the caller or the log.
 */
import { describe, expect, it } from 'vitest';
import { bearer, created, createRealtimeBench, done } from '../../../support/realtime-bench.ts';
import { openSocket, refusedSocket } from '../../../support/socket-client.ts';
import { refusal } from '../../../support/socket-upstream.ts';

const bench = createRealtimeBench();
const leak = () =>
  `no upstream-key (Basic ${Buffer.from('upstream-key').toString('base64')}) at ${bench.upstream.url}/v1, ${new URL(bench.upstream.url).host}, 10.0.0.7:80, [fd00::12]:80`;
const secrets = () => [
  'upstream-key',
  Buffer.from('upstream-key').toString('base64'),
  '127.0.0.1',
  '10.0.0.7',
  'fd00::12',
];
const error = () => ({
  type: leak(),
  code: leak(),
  message: leak(),
  param: leak(),
  inner: { [leak()]: [leak()] },
});

function expectMasked(text: string): void {
  expect(text).toContain('***');
  for (const secret of secrets()) expect(text).not.toContain(secret);
}

describe('what a hostile upstream says on an open connection is masked', () => {
  it.each<readonly [string, () => object]>([
    ['an error', () => ({ type: 'error', event_id: 'e1', error: error() })],
    ['an error as text', () => ({ type: 'error', error: leak() })],
    [
      'an error beside its place',
      () => ({ type: 'error', message: leak(), error: { message: 'no' } }),
    ],
    [
      'a failed transcription',
      () => ({
        type: 'conversation.item.input_audio_transcription.failed',
        item_id: 'i1',
        content_index: 0,
        error: error(),
      }),
    ],
    [
      'a failure of another kind',
      () => ({ type: 'mcp_list_tools.failed', item_id: 'i1', reason: leak() }),
    ],
    ...['failed', 'incomplete', 'cancelled'].map(
      (status) =>
        [
          `a response that is ${status}`,
          () => {
            const event = done('r1', undefined, status);
            return {
              ...event,
              response: { ...event.response, status_details: { type: status, error: error() } },
            };
          },
        ] as const,
    ),
  ])('%s', async (_name, event) => {
    const customer = await bench.gateway.addCustomer(1_000_000);
    const { client, server } = await bench.start(customer.key);
    server.send(created('r1'));
    expect(await client.next()).toMatchObject({ type: 'response.created' });
    server.send(event());
    expectMasked(JSON.stringify(await client.next()));
    client.socket.close();
    await server.closed;
    await bench.expectSettled(customer);
    const { items } = await bench.gateway.client.log.list({ username: customer.username });
    for (const secret of secrets())
      expect(items.map(({ content }) => content).join('\n')).not.toContain(secret);
  });

  it('the reason with which it closes', async () => {
    const customer = await bench.gateway.addCustomer(1_000_000);
    const { client, server } = await bench.start(customer.key);
    server.socket.close(4001, 'no upstream-key at 127.0.0.1');
    expectMasked((await client.closed).reason);
  });

  it('an error as its first frame, after which no channel is left', async () => {
    const customer = await bench.gateway.addCustomer(1_000_000);
    bench.upstream.script({
      connect: (connection) => connection.send({ type: 'error', error: error() }),
    });
    const client = await openSocket(bench.address(), bearer(customer.key));
    expectMasked(JSON.stringify(await client.next()));
    await client.closed;
  });

  it('a refusal of the handshake', async () => {
    const customer = await bench.gateway.addCustomer(1_000_000);
    bench.upstream.script(
      refusal(400, JSON.stringify({ error: error() }), { 'content-type': 'application/json' }),
    );
    expectMasked(JSON.stringify((await refusedSocket(bench.address(), bearer(customer.key))).body));
  });
});
