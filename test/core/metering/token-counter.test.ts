import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it, test } from 'vitest';
import { silentLogger } from '../../../src/core/kernel/logger.ts';
import { countableText, nothingToCount } from '../../../src/core/metering/countable.ts';
import type { CountingThreadSettings } from '../../../src/core/metering/counting-thread.ts';
import { encodingOf } from '../../../src/core/metering/encoding.ts';
import { createTokenCounter, type TokenCounter } from '../../../src/core/metering/token-counter.ts';
import { estimateTokens } from '../../../src/core/pricing/estimate-tokens.ts';

let counter: TokenCounter | undefined;
function open(settings: Partial<CountingThreadSettings> = {}): TokenCounter {
  const opened = createTokenCounter({ logger: silentLogger, timeLimit: 30_000, ...settings });
  counter = opened;
  return opened;
}
afterEach(() => counter?.close());

/** A thread of the test's own making. */
function workerFrom(source: string): URL {
  const file = join(tmpdir(), `turnpike-worker-${process.pid}-${source.length}.mjs`);
  writeFileSync(file, `import { parentPort } from 'node:worker_threads';\n${source}`);
  return pathToFileURL(file);
}

test.each([
  ['gpt-4o', 'o200k'],
  ['chatgpt-4o-latest', 'o200k'],
  ['openai/gpt-4.1-mini', 'o200k'],
  ['ft:gpt-4o-mini:acme::1', 'o200k'],
  ['o3', 'o200k'],
  ['o4-mini-2025-04-16', 'o200k'],
  ['gpt-5.1-codex', 'o200k'],
  ['gpt-4', 'cl100k'],
  ['gpt-4-turbo', 'cl100k'],
  ['gpt-3.5-turbo', 'cl100k'],
  ['text-embedding-3-small', 'cl100k'],
  ['claude-3-5-sonnet-20241022', undefined],
  ['gemini-2.0-flash', undefined],
  ['o3d-vision', undefined],
  ['qwen-max', undefined],
])('%s is counted by %s', (model, encoding) => {
  expect(encodingOf(model)).toBe(encoding);
});

describe('counting', () => {
  // Figures of OpenAI's own examples (its cookbook, "How to count tokens with tiktoken").
  it.each([
    ['antidisestablishmentarianism', 'gpt-4', 6],
    ['antidisestablishmentarianism', 'gpt-4o', 6],
    ['2 + 2 = 4', 'gpt-4', 7],
    ['2 + 2 = 4', 'gpt-4o', 7],
    ['お誕生日おめでとう', 'gpt-4', 9],
    ['お誕生日おめでとう', 'gpt-4o', 8],
  ])('"%s" for %s: %d', async (text, model, tokens) => {
    expect(await open().count(countableText(text), model)).toBe(tokens);
  });

  it('adds up texts and what needs no reading', async () => {
    const countable = { texts: ['hello world', 'tiktoken is great!'], images: [], tokens: 100 };
    expect(await open().count(countable, 'gpt-4')).toBe(100 + 2 + 6);
    expect(await open().count(nothingToCount, 'gpt-4')).toBe(0);
  });

  it('takes names of special tokens for text', async () => {
    expect(
      await open().count(countableText('<|endoftext|><|im_start|>'), 'gpt-4o'),
    ).toBeGreaterThan(8);
  });

  it('estimates models of other vendors, short texts without a thread', async () => {
    const text = 'The quick brown fox. '.repeat(10);
    const never = workerFrom('process.exit(1)');
    const tokens = estimateTokens(text, 'claude');
    expect(
      await open({ workerUrl: never }).count(countableText(text), 'claude-3-5-sonnet-20241022'),
    ).toBe(tokens);
  });

  it('estimates long texts of other vendors on its thread', async () => {
    const text = 'The quick brown fox. '.repeat(2000);
    expect(await open().count(countableText(text), 'claude-3-5-sonnet-20241022')).toBe(
      estimateTokens(text, 'claude'),
    );
  });

  it('counts what is beyond the cap by the density of its front', async () => {
    // 6 tokens, the blank of the next one's first word
    const sentence = 'The quick brown fox jumps. ';
    const tokens = await open().count(countableText(sentence.repeat(40_000)), 'gpt-4o');
    expect(tokens).toBeGreaterThan(6 * 40_000 * 0.99);
    expect(tokens).toBeLessThan(6 * 40_000 * 1.01);
  });
});

describe('hostile texts', () => {
  const length = 100_000;
  it.each([
    ['one letter', 'a'.repeat(length)],
    ['one ideograph', '汉'.repeat(length)],
    ['blanks', ' '.repeat(length)],
    ['signs', '='.repeat(length)],
    ['marks', `a${'\u0301'.repeat(length)}`],
    ['line ends', '\n'.repeat(length)],
  ])('%s, 100,000 times, is counted', async (_name, text) => {
    const failing = { ...silentLogger, error: () => expect.unreachable('the thread failed') };
    const counted = await open({ logger: failing }).count(countableText(text), 'gpt-4o');
    expect(counted).toBeGreaterThan(length / 300);
    expect(counted).toBeLessThanOrEqual(length * 2);
  });

  it('do not hold up the thread that asks', async () => {
    const counted = open().count(countableText('a'.repeat(length)), 'gpt-4o');
    const first = await Promise.race([
      counted,
      new Promise((resolve) => setImmediate(resolve, 'free')),
    ]);
    expect(first).toBe('free');
    await counted;
  });
});

describe('a thread that fails', () => {
  const text = countableText('hello world');
  const estimated = estimateTokens('hello world', 'openai');

  it('is replaced by the estimate, and for the next count by another thread', async () => {
    const errors: unknown[] = [];
    const dies = workerFrom(`parentPort.on('message', ({ id, texts }) => {
      if (texts[0] === 'hello world') throw new Error('broken');
      parentPort.postMessage({ id, texts: 1234, images: 0 });
    });`);
    const replaced = open({
      workerUrl: dies,
      logger: { ...silentLogger, error: (fields) => void errors.push(fields) },
    });
    const both = await Promise.all([
      replaced.count(text, 'gpt-4o'),
      replaced.count(countableText('after'), 'gpt-4o'),
    ]);
    expect(both).toEqual([estimated, 1234]);
    expect(errors).toHaveLength(1);
  });

  it('that cannot be started, as where no process may have more, is estimated each time', async () => {
    const errors: unknown[] = [];
    const refused = open({
      workerUrl: new URL('https://127.0.0.1/worker.js'), // new Worker throws
      logger: { ...silentLogger, error: (fields) => void errors.push(fields) },
    });
    const both = [refused.count(text, 'gpt-4o'), refused.count(text, 'gpt-4o')];
    expect(await Promise.all(both)).toEqual([estimated, estimated]);
    expect(await refused.count(text, 'gpt-4o')).toBe(estimated);
    expect(errors).toHaveLength(3);
  });

  it('that takes too long is ended; the estimate stands in', async () => {
    const hangs = workerFrom(`parentPort.on('message', () => { for (;;); });`);
    expect(await open({ workerUrl: hangs, timeLimit: 200 }).count(text, 'gpt-4o')).toBe(estimated);
  });

  it('that took too long is replaced for the next count', async () => {
    const slow = workerFrom(`parentPort.on('message', ({ id, texts }) => {
      if (texts[0] !== 'never') parentPort.postMessage({ id, texts: 1234, images: 0 });
    });`);
    const hangs = open({ workerUrl: slow, timeLimit: 1500 });
    expect(await hangs.count(text, 'gpt-4o')).toBe(1234);
    expect(await hangs.count(countableText('never'), 'gpt-4o')).toBe(
      estimateTokens('never', 'openai'),
    );
    expect(await hangs.count(text, 'gpt-4o')).toBe(1234);
  });

  it('that takes longer to start than a count may is waited for, and counts from then on', async () => {
    const news = new BroadcastChannel('counting-thread');
    try {
      let starts = 0;
      let tell = () => {};
      const started = new Promise<void>((resolve) => (tell = resolve));
      news.onmessage = ({ data }) => {
        if (data !== 'started') return;
        starts += 1;
        tell();
      };
      const starting = workerFrom(`const news = new BroadcastChannel('counting-thread');
        news.onmessage = ({ data }) => {
          if (data !== 'go on') return;
          parentPort.on('message', ({ id, texts }) =>
            parentPort.postMessage({ id, texts: texts[0] === 'late' ? 7 : 1234, images: 0 }));
        };
        news.postMessage('started');`);
      const busy = open({ workerUrl: starting, timeLimit: 300 });
      const late = countableText('late');
      expect(await busy.count(late, 'gpt-4o')).toBe(estimateTokens('late', 'openai'));
      await started;
      news.postMessage('go on');
      // What nobody waits for any more is not taken for the next count.
      await expect.poll(() => busy.count(text, 'gpt-4o'), { timeout: 20_000 }).toBe(1234);
      expect(starts).toBe(1);
    } finally {
      news.close();
    }
  });

  it('that never starts is ended', async () => {
    const never = workerFrom(`parentPort.on('message', () => { for (;;); });`);
    const replaced = open({ workerUrl: never, timeLimit: 60_000, startLimit: 1 });
    expect(await replaced.count(text, 'gpt-4o')).toBe(estimated);
    expect(await replaced.count(text, 'gpt-4o')).toBe(estimated);
  });

  it('is ended when it is idle, and started anew', async () => {
    const counts = workerFrom(`let asked = 0;
      parentPort.on('message', ({ id }) => parentPort.postMessage({ id, texts: ++asked, images: 0 }));`);
    const idles = open({ workerUrl: counts, idleLimit: 1 });
    expect(await idles.count(text, 'gpt-4o')).toBe(1);
    await expect.poll(() => idles.count(text, 'gpt-4o')).toBe(1);
  });

  it('is closed at once: what is being counted, and what waits for it, is estimated', async () => {
    const closing = open({
      workerUrl: workerFrom(`parentPort.on('message', () => { for (;;) ; });`),
    });
    const both = Promise.all([closing.count(text, 'gpt-4o'), closing.count(text, 'gpt-4o')]);
    await closing.close();
    expect(await both).toEqual([estimated, estimated]);
  });

  it('answers with the estimate once it is closed', async () => {
    const closed = open();
    await closed.close();
    expect(await closed.count(text, 'gpt-4o')).toBe(estimated);
  });
});

it('no text has more tokens than bytes, whatever its weights are', async () => {
  expect(await open().count(countableText('@'.repeat(100)), 'claude-sonnet-4-5')).toBe(100);
  expect(await counter?.count(countableText('@'.repeat(100_000)), 'claude-sonnet-4-5')).toBe(
    100_000,
  );
});
