/** Streams that are longer, or cut more oddly, than what one sees on a good day. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CallBench, startCallBench, startQuota } from '../../../support/calls.ts';
import { startTestGateway } from '../../../support/gateway.ts';
import { type Answer, chatStream, startUpstream } from '../../../support/upstream.ts';

let bench: CallBench;

beforeAll(async () => {
  bench = await startCallBench('gpt-4o-mini,gpt-image-1');
  await bench.gateway.set('ModelPrice', { 'gpt-image-1': 0.04 });
});
afterAll(() => bench.close());

const hello = [{ role: 'user', content: 'Hello' } as const];

/** The collected reply of a streamed chat. */
async function streamed(key: string): Promise<string> {
  let text = '';
  const stream = await bench
    .openAi(key)
    .chat.completions.create({ model: 'gpt-4o-mini', stream: true, messages: hello });
  for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
  return text;
}

const chunk = (content: string, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content }, finish_reason: finish }] })}\n\n`;

describe('a streamed reply', () => {
  it('may contain an end marker as text without ending there', async () => {
    const words = [
      'It ends with data: [DONE] ',
      'on a line ',
      'of its own: [DONE]. ',
      'That is all.',
    ];
    bench.upstream.answer(chatStream(words));
    const { key } = await bench.gateway.addCustomer(startQuota);
    expect(await streamed(key)).toBe(words.join(''));
  });

  it('that is long and reports no usage is counted to its end', async () => {
    const pieces = Array.from({ length: 20_000 }, () => chunk(' word'));
    bench.upstream.answer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`${pieces.join('')}${chunk('', 'stop')}data: [DONE]\n\n`);
    });
    const { key, username } = await bench.gateway.addCustomer(startQuota);
    expect((await streamed(key)).length).toBe(100_000);
    const { row } = await bench.newestLog(username);
    expect(Number(row['completion_tokens'])).toBeGreaterThan(19_000);
    // 20,001; where the machine is too busy to count them, the estimate is 28,807.
    expect(Number(row['completion_tokens'])).toBeLessThan(29_000);
  });

  it.each([
    ['that had output but reported zero is counted', 'several words of an answer', 'counted'],
    ['without output costs no output tokens', '', 'upstream'],
  ])('%s', async (_, words, source) => {
    bench.upstream.answer(
      chatStream([words], { prompt_tokens: 10, completion_tokens: 0, total_tokens: 10 }),
    );
    const { key, username } = await bench.gateway.addCustomer(startQuota);
    await streamed(key);
    const { row, other } = await bench.newestLog(username);
    expect([
      row['prompt_tokens'],
      Number(row['completion_tokens']) > 0,
      other.usage_source,
    ]).toEqual([10, words !== '', source]);
  });

  it.each([1, 3, 7])(
    'arrives whole however its events are cut (%i bytes at a time)',
    async (size) => {
      const text = `${chunk('one ')}${chunk('two\n\n').replaceAll('\n\n', '\r\n\r\n')}${chunk('three', 'stop')}data: [DONE]\n\n`;
      bench.upstream.answer(async (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (let at = 0; at < text.length; at += size) {
          response.write(text.slice(at, at + size));
          await new Promise((resolve) => setImmediate(resolve));
        }
        response.end();
      });
      const { key } = await bench.gateway.addCustomer(startQuota);
      expect(await streamed(key)).toBe('one two\n\nthree');
    },
  );
});

describe('a streamed image', () => {
  const event = (type: string) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, b64_json: 'AA==' })}\n\n`;
  const painted = (...types: string[]): Answer => {
    return (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(types.map(event).join(''));
    };
  };

  it.each([
    [
      'of three that broke off at its first draft costs one',
      ['image_generation.partial_image'],
      20_000,
    ],
    ['costs its price', ['image_generation.partial_image', 'image_generation.completed'], 20_000],
    [
      'costs its price as often as it came',
      ['image_generation.completed', 'image_generation.completed'],
      40_000,
    ],
  ] as const)('%s', async (_, types, cost) => {
    bench.upstream.answer(painted(...types));
    const { key, userId } = await bench.gateway.addCustomer(startQuota);
    const body = { model: 'gpt-image-1', prompt: 'a lake', n: 3, stream: true, partial_images: 1 };
    await (await bench.post('/v1/images/generations', key, JSON.stringify(body))).text();
    expect(await bench.spent(userId)).toBe(cost);
  });
});

it('that never closes after its end: the caller gets the image, is charged once, and the upstream is disconnected', async () => {
  const gateway = await startTestGateway({ MAX_REQUEST_BODY_MB: '1' });
  const upstream = await startUpstream();
  try {
    await gateway.addChannel({ type: 1, baseUrl: upstream.url, models: 'gpt-4o-mini' });
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    const told = `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [], usage })}\n\n`;
    const filler = `: ${'x'.repeat(64 * 1024)}\n\n`;
    upstream.answer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`${chunk('Hello', 'stop')}${told}data: [DONE]\n\n`);
      const more = () => void (response.destroyed || response.write(filler, more));
      more();
    });
    const { key, username } = await gateway.addCustomer(startQuota);
    const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o-mini', messages: hello, stream: true }),
    });
    const text = await reply.text();
    expect(text).toContain('Hello');
    expect(text).toContain('data: [DONE]');
    expect(text).not.toContain('"error"');
    const { items } = await gateway.client.log.list({ username, type: 2 });
    expect(items).toMatchObject([{ prompt_tokens: 10, completion_tokens: 5 }]);
    await expect.poll(() => upstream.aborted).toBe(1);
  } finally {
    await gateway.close();
    await upstream.close();
  }
});
