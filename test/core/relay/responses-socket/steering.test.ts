/** Input for a response that is being generated (docs/rules/realtime.md#responses-steering). */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { messageItem, responseObject } from '../../../support/responses-upstream.ts';
import { openSocket, type SocketClient } from '../../../support/socket-client.ts';
import {
  type Answer,
  errorReply,
  startUpstream,
  type TestUpstream,
} from '../../../support/upstream.ts';

type Event = Record<string, unknown>;

let gateway: TestGateway;
let responses: TestUpstream;
let chat: TestUpstream;

beforeAll(async () => {
  gateway = await startTestGateway();
  responses = await startUpstream();
  chat = await startUpstream();
  await gateway.set('RetryTimes', 0);
  await gateway.addChannel({ type: 1, baseUrl: responses.url, models: 'gpt-4o' });
  const setting = '{"use_responses":false}';
  await gateway.addChannel({ type: 1, baseUrl: chat.url, models: 'gpt-4o-mini', setting });
});
afterAll(async () => {
  await gateway.close();
  await responses.close();
  await chat.close();
});
beforeEach(() => {
  for (const upstream of [responses, chat]) upstream.requests.length = 0;
});

const connect = (key: string): Promise<SocketClient> =>
  openSocket(`${gateway.url.replace('http', 'ws')}/v1/responses`, {
    headers: { authorization: `Bearer ${key}`, 'accept-language': 'en' },
  });
const create = (fields: object) => ({ type: 'response.create', store: false, ...fields });
const steer = (id: unknown, input: unknown) => ({
  type: 'response.steer',
  previous_response_id: id,
  input,
});
const message = (text: string) => ({
  type: 'message',
  role: 'user',
  content: [{ type: 'input_text', text }],
});
const logsOf = async (username: string) =>
  (await gateway.client.log.list({ username, type: 2 })).items;

/** A response that shows its first word and waits for the gate before it ends. */
function gated(
  id: string,
  gate: Promise<unknown>,
  more: readonly Event[] = [],
  end = 'completed',
): Answer {
  return async (response, request) => {
    const output = [messageItem(`${id} said this`), ...more];
    const whole = responseObject(request.json['model'], output, { id, status: end });
    const started = { ...whole, status: 'in_progress', output: [], usage: null };
    const write = (type: string, fields: Event) =>
      response.write(`data: ${JSON.stringify({ type, ...fields })}\n\n`);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    write('response.created', { response: started });
    write('response.output_item.added', { output_index: 0, item: messageItem('') });
    write('response.output_text.delta', { output_index: 0, content_index: 0, delta: id });
    await gate;
    write(`response.${end}`, { response: whole });
    response.end();
  };
}
const open = Promise.resolve();

/** Reads to the event of this type. */
async function until(client: SocketClient, type: string): Promise<Event> {
  for (;;) {
    const event = await client.next();
    if (event['type'] === type) return event;
    if (event['type'] === 'error') throw new Error(JSON.stringify(event));
  }
}

async function begin(model = 'gpt-4o', fields: object = {}) {
  const customer = await gateway.addCustomer(1_000_000);
  const client = await connect(customer.key);
  client.send(create({ model, input: 'One', ...fields }));
  const created = await until(client, 'response.created');
  const { id } = created['response'] as { id: string };
  return { customer, client, id };
}

describe('input for a response that is generated', () => {
  it('asks for another one at its end, before what waits with its stream id; each is charged once', async () => {
    const gate = Promise.withResolvers<void>();
    responses.answer(gated('a', gate.promise), gated('b', open), gated('c', open));
    const { customer, client, id } = await begin('gpt-4o', {
      stream_id: 'lane',
      instructions: 'Be brief.',
    });
    client.send(create({ model: 'gpt-4o', input: 'Later', stream_id: 'lane' }));
    client.send(steer(id, 'Faster'));
    const accepted = await until(client, 'response.steer.accepted');
    expect(accepted).toMatchObject({ stream_id: 'lane', steer: { previous_response_id: id } });
    client.send(steer(id, [message('And shorter')]));
    await until(client, 'response.steer.accepted');
    gate.resolve();
    await until(client, 'response.completed');
    const next = await until(client, 'response.created');
    expect(next).toMatchObject({ stream_id: 'lane', response: { id: 'b' } });
    await until(client, 'response.completed');
    await until(client, 'response.completed');
    expect(responses.requests.map(({ json }) => json['input'])).toEqual([
      'One',
      [message('One'), messageItem('a said this'), message('Faster'), message('And shorter')].map(
        (item) => expect.objectContaining({ content: item.content }),
      ),
      'Later',
    ]);
    expect(responses.requests[1]?.json).toMatchObject({ instructions: 'Be brief.' });
    client.socket.close();
    await client.closed;
    const rows = await logsOf(customer.username);
    expect(rows).toHaveLength(3);
    const spent = rows.reduce((sum, { quota }) => sum + quota, 0);
    expect((await gateway.client.user.get({ id: customer.userId })).quota).toBe(1_000_000 - spent);
  });

  it('goes to a model of another wire as a turn of the user', async () => {
    const gate = Promise.withResolvers<void>();
    const answered: Answer = async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const chunk = (delta: object, finish_reason: string | null = null) =>
        response.write(
          `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason }] })}\n\n`,
        );
      chunk({ content: 'Long' });
      if (chat.requests.length === 1) await gate.promise;
      chunk({}, 'stop');
      response.end('data: [DONE]\n\n');
    };
    chat.answer(answered);
    const { client, id } = await begin('gpt-4o-mini');
    client.send(steer(id, 'Faster'));
    await until(client, 'response.steer.accepted');
    gate.resolve();
    await until(client, 'response.completed');
    await until(client, 'response.completed');
    expect(chat.requests[1]?.json['messages']).toMatchObject([
      { role: 'user', content: 'One' },
      { role: 'assistant', content: 'Long' },
      { role: 'user', content: 'Faster' },
    ]);
    client.socket.close();
    await client.closed;
  });

  it('waits for the results of calls, and goes in front of them', async () => {
    const gate = Promise.withResolvers<void>();
    const call = {
      type: 'function_call',
      id: 'fc_1',
      call_id: 'call_1',
      name: 'look',
      arguments: '{}',
      status: 'completed',
    };
    responses.answer(gated('a', gate.promise, [call]), gated('b', open));
    const { client, id } = await begin();
    client.send(steer(id, 'Faster'));
    const { steer: given } = await until(client, 'response.steer.accepted');
    gate.resolve();
    expect(await until(client, 'response.steer.pending')).toMatchObject({
      steer: given,
      reason: 'waiting_for_required_input',
      required_input: [{ type: 'function_call_output', call_id: 'call_1', name: 'look' }],
    });
    expect(responses.requests).toHaveLength(1);
    const result = { type: 'function_call_output', call_id: 'call_1', output: 'seen' };
    client.send(create({ model: 'gpt-4o', previous_response_id: id, input: [result] }));
    await until(client, 'response.completed');
    const input = responses.requests[1]?.json['input'] as Event[];
    expect(input.slice(-2)).toMatchObject([message('Faster'), result]);
    client.socket.close();
    await client.closed;
  });

  it.each([
    ['the response fails', gated('a', open, [], 'failed'), undefined],
    ['its successor is refused', gated('a', open), errorReply(400, { message: 'no' })],
  ] as const)('is given back where %s', async (_, first, second) => {
    const gate = Promise.withResolvers<void>();
    const answers: Answer[] = [
      async (response, request) => {
        await gated(
          'a',
          gate.promise,
          [],
          second === undefined ? 'failed' : 'completed',
        )(response, request);
      },
      second ?? first,
    ];
    responses.answer(...answers);
    const { client, id } = await begin();
    client.send(steer(id, 'Faster'));
    const { steer: given } = await until(client, 'response.steer.accepted');
    gate.resolve();
    let event = await client.next();
    while (event['type'] !== 'response.steer.failed') event = await client.next();
    expect(event).toMatchObject({
      error: { code: 'successor_creation_failed' },
      steer: { ...(given as Event), input: 'Faster' },
    });
    client.socket.close();
    await client.closed;
  });

  it('is refused with its reason, and the response goes on', async () => {
    const gate = Promise.withResolvers<void>();
    responses.answer(gated('a', gate.promise));
    const { client, id } = await begin();
    const refusalOf = async (target: unknown, input: unknown) => {
      client.send(steer(target, input));
      const event = await client.next();
      expect(event).toMatchObject({ type: 'response.steer.failed', steer: { input } });
      return (event['error'] as Event)['code'];
    };
    await until(client, 'response.output_text.delta');
    expect(await refusalOf('resp_none', 'x')).toBe('response_not_found');
    for (const input of ['', [], 7, [{ role: 'assistant', content: 'x' }], [{ role: 'user' }]])
      expect(await refusalOf(id, input)).toBe('invalid_input');
    for (let count = 0; count < 16; count++) {
      client.send(steer(id, `${count}`));
      expect(await client.next()).toMatchObject({ type: 'response.steer.accepted' });
    }
    expect(await refusalOf(id, 'one more')).toBe('too_many_pending_steers');
    responses.answer(gated('b', open));
    gate.resolve();
    await until(client, 'response.completed');
    await until(client, 'response.completed');
    expect(await refusalOf(id, 'late')).toBe('response_already_completed');
    expect(responses.requests[1]?.json['input']).toHaveLength(18);
    client.socket.close();
    await client.closed;
  });

  it('is gone with its client', async () => {
    const gate = Promise.withResolvers<void>();
    responses.answer(gated('a', gate.promise), gated('b', open));
    const { customer, client, id } = await begin();
    client.send(steer(id, 'Faster'));
    await until(client, 'response.steer.accepted');
    client.socket.terminate();
    await client.closed;
    gate.resolve();
    await expect.poll(async () => (await logsOf(customer.username)).length).toBe(1);
    expect(responses.requests).toHaveLength(1);
  });
});
