/** A separate model transcribes the client's audio. It is charged even without a response. */
import { expect, it } from 'vitest';
import { created, createRealtimeBench, done } from '../../../support/realtime-bench.ts';

const bench = createRealtimeBench();
const written = (usage: object | undefined) => ({
  type: 'conversation.item.input_audio_transcription.completed',
  item_id: 'item_1',
  content_index: 0,
  transcript: 'How are you',
  ...(usage === undefined ? {} : { usage }),
});
const transcription = (model: string) => ({
  type: 'session.update',
  session: {
    input_audio_format: 'pcm16',
    input_audio_transcription: { model },
    turn_detection: { create_response: false },
  },
});
const tokens = {
  type: 'tokens',
  total_tokens: 50,
  input_tokens: 40,
  output_tokens: 10,
  input_token_details: { audio_tokens: 40 },
};

it.each([
  [
    'by its tokens',
    'gpt-4o-transcribe',
    tokens,
    { model_name: 'gpt-4o-transcribe', prompt_tokens: 40, completion_tokens: 10 },
  ],
  [
    'by its length',
    'whisper-1',
    { type: 'duration', seconds: 90 },
    { model_name: 'whisper-1', prompt_tokens: 1500 },
  ],
  [
    'by what was heard, where nothing is told',
    'whisper-1',
    undefined,
    { model_name: 'whisper-1', prompt_tokens: 100 },
  ],
  [
    'as the session, where its model has no price',
    'scribe-x',
    tokens,
    { model_name: 'gpt-4o-realtime-preview', prompt_tokens: 40 },
  ],
])('is charged %s', async (_, model, usage, row) => {
  const customer = await bench.gateway.addCustomer(1_000_000);
  const { client, server } = await bench.start(customer.key);
  client.send(transcription(model));
  client.send({
    type: 'input_audio_buffer.append',
    audio: Buffer.alloc(6 * 48_000).toString('base64'),
  });
  for (let count = 0; count < 2; count++) await server.next();
  server.send(written(usage));
  expect(await client.next()).toMatchObject({ transcript: 'How are you' });
  const logs = await bench.logsOf(customer.username);
  expect(logs).toMatchObject([row]);
  expect(logs[0]?.quota).toBeGreaterThan(0);
  expect(await bench.quotaOf(customer.userId)).toBe(1_000_000 - (logs[0]?.quota ?? 0));
  client.socket.close();
  await client.closed;
  await bench.expectSettled(customer);
});

it('is charged in addition to the response', async () => {
  const customer = await bench.gateway.addCustomer(1_000_000);
  const { client, server } = await bench.start(customer.key);
  client.send(transcription('gpt-4o-transcribe'));
  await server.next();
  server.send(created('r1'));
  server.send(written(tokens));
  server.send(done('r1'));
  for (let count = 0; count < 3; count++) await client.next();
  expect((await bench.logsOf(customer.username)).map((row) => row.model_name).sort()).toEqual([
    'gpt-4o-realtime-preview',
    'gpt-4o-transcribe',
  ]);
  client.socket.close();
  await client.closed;
});

it('is charged once where it comes twice, and for each part of an item', async () => {
  const customer = await bench.gateway.addCustomer(1_000_000);
  const { client, server } = await bench.start(customer.key);
  client.send(transcription('gpt-4o-transcribe'));
  await server.next();
  const events = [written(tokens), written(tokens), { ...written(tokens), content_index: 1 }];
  for (const event of events) server.send(event);
  for (let count = 0; count < 3; count++) await client.next();
  expect(await bench.logsOf(customer.username)).toHaveLength(2);
  client.socket.close();
  await client.closed;
  await bench.expectSettled(customer);
});
