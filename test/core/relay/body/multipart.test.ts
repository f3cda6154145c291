import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { wav } from '../../../support/audio-files.ts';
import { type CallBench, startCallBench, startQuota } from '../../../support/calls.ts';
import { bytesOf, readFormOf } from '../../../support/forms.ts';
import { sendJson } from '../../../support/upstream.ts';

let bench: CallBench;
let key: string;

beforeAll(async () => {
  bench = await startCallBench('whisper-1,alias', { MAX_REQUEST_BODY_MB: '1' });
  ({ key } = await bench.gateway.addCustomer(startQuota));
});
afterAll(() => bench.close());
beforeEach(() => {
  bench.upstream.requests.length = 0;
  bench.upstream.answer((response) => sendJson(response, 200, { text: 'Hello' }));
});

const path = '/v1/audio/transcriptions';
const type = 'multipart/form-data; boundary=AaB03x';
const field = (name: string, value: string) =>
  `--AaB03x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const filePart = (head = 'name="file"; filename="a.wav"', contentType = 'audio/wav') =>
  Buffer.concat([
    Buffer.from(
      `--AaB03x\r\ncontent-disposition: form-data; ${head}\r\ncontent-type: ${contentType}\r\n\r\n`,
    ),
    wav(1),
    Buffer.from('\r\n'),
  ]);
const form = (...parts: (string | Buffer)[]) =>
  Buffer.concat([...parts.map((part) => Buffer.from(part)), Buffer.from('--AaB03x--\r\n')]);

it('keeps every field in its order, repeated ones too, and every byte of the file', async () => {
  const body = form(
    field('timestamp_granularities[]', 'word'),
    filePart(),
    field('timestamp_granularities[]', 'segment'),
    field('odd%22name', 'a\r\nb'),
    field('model', 'whisper-1'),
  );
  expect((await bench.post(path, key, body, type)).status).toBe(200);
  const sent = await readFormOf(bench.upstream.requests[0]);
  expect([...sent.keys()]).toEqual([
    'model',
    'timestamp_granularities[]',
    'timestamp_granularities[]',
    'odd"name',
    'file',
  ]);
  expect(sent.getAll('timestamp_granularities[]')).toEqual(['word', 'segment']);
  expect(sent.get('odd"name')).toBe('a\r\nb');
  expect(await bytesOf(sent.get('file'))).toEqual(wav(1));
  expect(bench.upstream.requests[0]?.headers['content-type']).not.toContain('AaB03x');
});

it('applies model mapping and overrides to forms', async () => {
  const id = await bench.gateway.addChannel({
    type: 1,
    baseUrl: bench.upstream.url,
    models: 'alias',
    model_mapping: '{"alias":"whisper-large"}',
    param_override: '{"temperature":0.5,"language":"fr"}',
    priority: 5,
  });
  await bench.gateway.set('ModelRatio', { alias: 1, 'whisper-1': 3 });
  await bench.post(
    path,
    key,
    form(field('model', 'alias'), field('language', 'de'), filePart()),
    type,
  );
  const sent = await readFormOf(bench.upstream.requests[0]);
  expect([sent.get('model'), sent.get('language'), sent.get('temperature')]).toEqual([
    'whisper-large',
    'fr',
    '0.5',
  ]);
  await bench.gateway.client.channel.remove({ id });
});

it('adds the media type of a file without one', async () => {
  await bench.post(
    path,
    key,
    form(filePart('name="file"; filename="a.mp3"', 'application/octet-stream')),
    type,
  );
  expect(((await readFormOf(bench.upstream.requests[0])).get('file') as File).type).toBe(
    'audio/mpeg',
  );
});

it.each<[string, string | Buffer, string | undefined, number, string]>([
  ['JSON', '{"model":"whisper-1"}', 'application/json', 400, 'invalid_form'],
  ['nothing at all', '', undefined, 400, 'invalid_form'],
  ['no boundary', form(filePart()), 'multipart/form-data', 400, 'invalid_form'],
  [
    'the wrong boundary',
    form(filePart()),
    'multipart/form-data; boundary=other',
    400,
    'invalid_form',
  ],
  ['a form cut in its file', form(filePart()).subarray(0, 2000), type, 400, 'invalid_form'],
  ['a form cut in a header', form(filePart()).subarray(0, 40), type, 400, 'invalid_form'],
  [
    'a header that is none',
    form('--AaB03x\r\n\u0001\u0002 no header\r\n\r\nx\r\n', filePart()),
    type,
    400,
    'invalid_form',
  ],
  [
    'two models',
    form(field('model', 'whisper-1'), field('model', 'alias'), filePart()),
    type,
    400,
    'invalid_form',
  ],
  [
    'a model that is a file',
    form(filePart('name="model"; filename="m"'), filePart()),
    type,
    400,
    'invalid_form',
  ],
  [
    'a part without a name',
    form('--AaB03x\r\ncontent-disposition: form-data\r\n\r\nx\r\n', filePart()),
    type,
    400,
    'invalid_form',
  ],
  [
    'too many parts',
    form(...Array.from({ length: 300 }, (_, at) => field(`f${at}`, 'x')), filePart()),
    type,
    400,
    'invalid_form',
  ],
  [
    'an empty file',
    form('--AaB03x\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\n\r\n\r\n'),
    type,
    400,
    'invalid_audio_request',
  ],
  ['no file', form(field('model', 'whisper-1')), type, 400, 'invalid_audio_request'],
  [
    'the file under another name',
    form(filePart('name="data"; filename="a.wav"')),
    type,
    400,
    'invalid_audio_request',
  ],
  ['a body over the limit', Buffer.alloc(1024 * 1024 + 1), type, 413, 'request_too_large'],
])('refuses %s', async (_, body, contentType, status, code) => {
  const reply = await bench.post(path, key, body, contentType);
  expect([reply.status, await reply.json()]).toMatchObject([status, { error: { code } }]);
  expect(bench.upstream.requests).toHaveLength(0);
});

it('accepts a form that arrives in small chunks', async () => {
  const body = form(field('model', 'whisper-1'), filePart());
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const call = request(bench.gateway.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': type },
    });
    call.on('response', (reply) => {
      reply.resume();
      reply.on('end', () => resolve(reply.statusCode));
    });
    call.on('error', reject);
    for (let at = 0; at < body.length; at += 777) call.write(body.subarray(at, at + 777));
    call.end();
  });
  expect(status).toBe(200);
  const file = await bytesOf((await readFormOf(bench.upstream.requests[0])).get('file'));
  const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
  expect(digest(file)).toBe(digest(wav(1)));
});

it('forwards a form unchanged where the site passes everything through', async () => {
  await bench.gateway.set('global.pass_through_request_enabled', 'true');
  const body = form(field('model', 'whisper-1'), filePart());
  await bench.post(path, key, body, type);
  expect(bench.upstream.requests[0]?.bytes).toEqual(body);
  expect(bench.upstream.requests[0]?.headers['content-type']).toBe(type);
  await bench.gateway.set('global.pass_through_request_enabled', 'false');
});
