// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import type { CatalogModel } from '../../../../src/core/contract/model-square.ts';
import { askRelay } from '../../../../src/ui/routes/playground/chat/ask.ts';
import { highlight } from '../../../../src/ui/routes/playground/chat/highlight.ts';
import { choose, groupOfLink } from '../../../../src/ui/routes/playground/choices.ts';
import { readImages } from '../../../../src/ui/routes/playground/image/image-store.ts';
import { readError } from '../../../../src/ui/routes/playground/post.ts';
import { readEvents } from '../../../../src/ui/routes/playground/read-events.ts';

async function eventsOf(chunks: readonly (string | Uint8Array)[]): Promise<readonly string[]> {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const chunk of chunks)
        controller.enqueue(typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk);
      controller.close();
    },
  });
  const found: string[] = [];
  for await (const data of readEvents(body)) found.push(data);
  return found;
}

test('events are read however they are cut', async () => {
  const text =
    ': PING\n\ndata: {"a":"额"}\n\nevent: x\r\ndata:second\r\n\r\ndata: 1\ndata: 2\n\ndata: [DONE]';
  const expected = ['{"a":"额"}', 'second', '1\n2', '[DONE]'];
  const bytes = new TextEncoder().encode(text);
  expect(await eventsOf([text])).toEqual(expected);
  expect(await eventsOf(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(expected);
});

test('errors of both shapes are read, without the request id', () => {
  const error = { message: 'no (request id: 2026abc)', type: 't', code: 'c' };
  expect(readError({ error }, 403)).toEqual({ status: 403, text: 'no', code: 'c', type: 't' });
  expect(readError({ success: false, message: 'no', code: 'c' }, 200)).toEqual({
    status: 200,
    text: 'no',
    code: 'c',
    type: '',
  });
  expect([readError({ choices: [] }, 0), readError('text', 0)]).toEqual([undefined, undefined]);
});

test('images of a reply: bytes with their type, http addresses, nothing else', () => {
  const data = [
    { b64_json: '/9j/4AAQ' },
    { b64_json: 'iVBOR' },
    { url: 'https://a.example/x.png' },
    { url: 'javascript:alert(1)' },
    7,
  ];
  expect(readImages({ data })).toEqual([
    'data:image/jpeg;base64,/9j/4AAQ',
    'data:image/png;base64,iVBOR',
    'https://a.example/x.png',
  ]);
  expect(readImages({ error: {} })).toEqual([]);
});

test('programs are coloured without changing them', () => {
  const code = 'const a = f("x // y"); // note\n/* two\nlines */ return';
  const pieces = highlight(code, 'ts');
  expect(pieces.map(({ text }) => text).join('')).toBe(code);
  expect(
    pieces.filter(({ kind }) => kind !== undefined).map(({ kind, text }) => [kind, text]),
  ).toEqual([
    ['keyword', 'const'],
    ['call', 'f'],
    ['string', '"x // y"'],
    ['comment', '// note'],
    ['comment', '/* two\nlines */'],
    ['keyword', 'return'],
  ]);
  expect(highlight('# note\nx = 1', 'python')[0]).toEqual({ text: '# note', kind: 'comment' });
  expect(highlight('if for', 'text')).toEqual([{ text: 'if for' }]);
});

test('the chosen group and model are those that exist', () => {
  const groups = [
    { name: 'default', ratio: 1, own: true },
    { name: 'vip', ratio: 0.8, own: false },
    { name: 'dear', ratio: 3, own: false },
  ];
  const models = [
    { model: 'a', enable_group: ['default'] },
    { model: 'b', enable_group: ['vip', 'default'] },
  ] as unknown as readonly CatalogModel[];
  expect(choose(groups, models, { group: '', model: '' })).toMatchObject({
    group: { name: 'default' },
    model: { model: 'a' },
  });
  expect(choose(groups, models, { group: 'vip', model: 'a' })).toMatchObject({
    group: { name: 'vip' },
    model: { model: 'b' },
  });
  expect(choose(groups, models, { group: 'gone', model: 'b' })).toMatchObject({
    group: { name: 'default' },
    model: { model: 'b' },
  });
  expect(choose(groups, models, { group: 'dear', model: 'b' }).model).toBeUndefined();
  // Another group is only named where it has something.
  expect(choose(groups, models, { group: 'dear', model: '' }).isElsewhere).toBe(true);
  expect(choose(groups, [], { group: 'dear', model: '' }).isElsewhere).toBe(false);
  expect(groupOfLink('["dear","vip"]', groups)).toBe('vip');
  expect(groupOfLink('["vip","default"]', groups)).toBe('default');
  expect([
    groupOfLink('not json', groups),
    groupOfLink('["other"]', groups),
    groupOfLink(null, groups),
  ]).toEqual(['', '', '']);
});

test('an image that a model made is shown as one', async () => {
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } };
  const chunk = { choices: [{ index: 0, delta: { images: [image] } }] };
  vi.stubGlobal('fetch', async () => new Response(`data: ${JSON.stringify(chunk)}\n\n`));
  const pieces: unknown[] = [];
  const sink = { started: () => undefined, piece: (piece: unknown) => pieces.push(piece) };
  const question = { messages: [], model: 'm', group: 'g', system: '' };
  await askRelay(question as never, sink as never, new AbortController().signal);
  vi.unstubAllGlobals();
  expect(pieces).toEqual([{ text: '![image](data:image/png;base64,AA)' }]);
});
