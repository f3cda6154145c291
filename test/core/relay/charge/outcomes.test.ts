/** How requests end: what is counted, and the error rows of those that failed. */
import { expect, test } from 'vitest';
import type { LogEntity } from '../../../../src/core/contract/entities.ts';
import { readLogOther } from '../../../../src/core/contract/log-other.ts';
import { errorReply } from '../../../support/upstream.ts';
import { fine, startRelay, type TestRelay, upstream } from '../select/relay-support.ts';

const boom = errorReply(500, { message: 'boom at https://inner.example/x', type: 'server_error' });

async function twoChannels(options: Record<string, string | number | boolean> = {}) {
  const [first, second] = [await upstream(), await upstream()];
  const relay = await startRelay({ RetryTimes: 1, ...options });
  const ids = [
    await relay.addChannel(first, { priority: 10 }),
    await relay.addChannel(second),
  ] as const;
  return { relay, first, second, ids };
}

async function errorRows({ app, operator }: TestRelay): Promise<readonly LogEntity[]> {
  await app.logs.outcomes.save();
  return (await operator.log.list({ type: 5 })).items;
}

const sums = ({ operator }: TestRelay, range = {}) => operator.data.outcomes(range);

test('a request that failed on every channel leaves one row with the channels tried and the masked cause', async () => {
  const { relay, first, second, ids } = await twoChannels();
  first.answer(boom);
  second.answer(boom);
  relay.clock.move(3_600_000);
  const reply = await relay.chat();
  expect(reply.status).toBe(500);
  const [row, ...others] = await errorRows(relay);
  expect(others).toEqual([]);
  expect(row).toMatchObject({
    type: 5,
    quota: 0,
    username: 'customer',
    token_name: 't',
    model_name: 'gpt-4o',
    group: 'default',
    channel: ids[1],
    content: 'boom at ***',
    created_at: Math.floor(relay.clock.now() / 1000),
    request_id: reply.headers.get('x-request-id'),
  });
  const other = readLogOther(row?.other ?? '');
  expect(other).toMatchObject({ status_code: 500, request_path: '/v1/chat/completions' });
  expect(
    other.admin_info?.route?.map(({ channel, status, message }) => [channel, status, message]),
  ).toEqual([
    [ids[0], 500, 'boom at ***'],
    [ids[1], 500, 'boom at ***'],
  ]);
  expect(row?.other).not.toContain('inner.example');
  expect(
    (await relay.operator.ledger.list({})).items.filter(({ kind }) => kind === 'charge'),
  ).toEqual([]);
  expect(await sums(relay)).toEqual({ succeeded: 0, failed: 1, refused: 0, unlogged: 0 });
});

test('its user sees the row without channels', async () => {
  const { relay, first, second } = await twoChannels();
  first.answer(boom);
  second.answer(boom);
  await relay.chat();
  await errorRows(relay);
  const [row] = (await (await relay.as(2)).log.listSelf({ type: 5 })).items;
  expect(row).toMatchObject({ type: 5, channel: 0, channel_name: '', content: 'boom at ***' });
  expect(row?.other).not.toContain('admin_info');
  expect(await (await relay.as(2)).data.outcomes({})).toMatchObject({ failed: 1 });
});

test('a request that another channel rescued counts as a success and has no error row', async () => {
  const { relay, first } = await twoChannels();
  first.answer(boom);
  expect((await relay.chat()).status).toBe(200);
  expect(await errorRows(relay)).toEqual([]);
  expect(await sums(relay)).toEqual({ succeeded: 1, failed: 0, refused: 0, unlogged: 0 });
  expect(await relay.operator.overview.get({})).toMatchObject({
    succeeded: 1,
    failed: 0,
    refused: 0,
  });
});

test('refusals before a channel is tried are counted apart and have no row', async () => {
  const { relay } = await twoChannels({
    ModelRequestRateLimitEnabled: true,
    ModelRequestRateLimitCount: 2,
  });
  expect((await relay.chat({ messages: 'none' })).status).toBe(400);
  expect((await relay.post('/v1/chat/completions', {})).status).toBe(400);
  expect((await relay.chat()).status).toBe(429);
  expect((await relay.chat({}, { authorization: 'Bearer sk-wrong' })).status).toBe(401);
  expect(await errorRows(relay)).toEqual([]);
  expect(await sums(relay)).toEqual({ succeeded: 0, failed: 0, refused: 3, unlogged: 0 });
});

test('a request that an upstream refused as wrong has a row but is no failure', async () => {
  const { relay, first } = await twoChannels();
  first.answer(
    errorReply(400, { message: 'temperature is too high', type: 'invalid_request_error' }),
  );
  expect((await relay.chat()).status).toBe(400);
  expect(await errorRows(relay)).toMatchObject([{ content: 'temperature is too high' }]);
  expect(await sums(relay)).toMatchObject({ failed: 0, refused: 1 });
});

test('a model without a channel is a failure of the site, with a row', async () => {
  const { relay } = await twoChannels();
  expect((await relay.chat({ model: 'gpt-4.1' })).status).toBe(503);
  expect(await errorRows(relay)).toMatchObject([
    { model_name: 'gpt-4.1', channel: 0, channel_name: '' },
  ]);
  expect(await sums(relay)).toMatchObject({ failed: 1 });
});

test('a stream that its upstream cut is charged and also has an error row', async () => {
  const { relay, first } = await twoChannels();
  first.answer((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(
      'data: {"id":"1","choices":[{"index":0,"delta":{"content":"Half a sen"}}]}\n\n',
      () => response.destroy(),
    );
  });
  await relay.chat({ stream: true });
  const [row] = await errorRows(relay);
  expect(row).toMatchObject({ is_stream: true, quota: 0 });
  expect(readLogOther(row?.other ?? '')).toMatchObject({ ended: 'upstream_cut', status_code: 200 });
  expect((await relay.operator.log.list({ type: 2 })).items).toMatchObject([
    { request_id: row?.request_id },
  ]);
  expect(await sums(relay)).toMatchObject({ succeeded: 0, failed: 1 });
});

test('the row of a stream that ended with an error has the words of its upstream, masked', async () => {
  const { relay, first } = await twoChannels();
  first.answer((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: {"id":"1","choices":[{"index":0,"delta":{"content":"Half a sen"}}]}\n\n');
    const error = {
      message: `the model at ${first.url} fell over`,
      type: 'invalid_request_error',
      code: 400,
    };
    setTimeout(() => response.end(`data: ${JSON.stringify({ error })}\n\n`), 20);
  });
  await relay.chat({ stream: true });
  const [row] = await errorRows(relay);
  expect(row?.content).toBe('the model at *** fell over');
  expect(readLogOther(row?.other ?? '')).toMatchObject({ ended: 'upstream_cut', status_code: 200 });
  expect(await sums(relay)).toMatchObject({ failed: 1, refused: 0 });
});

test('with ErrorLogEnabled off requests are counted, and no row is written', async () => {
  const { relay, first, second } = await twoChannels({ ErrorLogEnabled: false });
  first.answer(boom);
  second.answer(boom);
  await relay.chat();
  expect(await errorRows(relay)).toEqual([]);
  expect(await sums(relay)).toEqual({ succeeded: 0, failed: 1, refused: 0, unlogged: 0 });
});

test('the counts are kept by range', async () => {
  const { relay, first, second } = await twoChannels();
  first.answer(boom);
  second.answer(boom);
  await relay.chat();
  relay.clock.move(2 * 3_600_000);
  first.answer(fine);
  await relay.chat();
  await relay.app.logs.outcomes.save();
  const now = Math.floor(relay.clock.now() / 1000);
  expect(await sums(relay, { start_timestamp: now - 60 })).toMatchObject({
    succeeded: 1,
    failed: 0,
  });
  expect(await sums(relay, { end_timestamp: now - 3600 })).toMatchObject({
    succeeded: 0,
    failed: 1,
  });
});
