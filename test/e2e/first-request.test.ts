/** The first steps of the README on the command line, with the built binary. */
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  newDataFolder,
  type RunningGateway,
  runBinary,
  runJson,
  serveBinary,
} from '../support/binary.ts';
import { chatReply, messagesReply, startUpstream, type TestUpstream } from '../support/upstream.ts';

// Each test starts several processes; a busy machine needs many seconds for that.
vi.setConfig({ testTimeout: 60_000 });
const folder = newDataFolder();
const data = ['--data-dir', folder.path];
let gateway: RunningGateway | undefined;
let openAi: TestUpstream;
let claude: TestUpstream;

interface Row {
  readonly model_name: string;
  readonly quota: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly is_stream: boolean;
}

beforeAll(async () => {
  openAi = await startUpstream();
  openAi.answer(
    chatReply('Hello there', { prompt_tokens: 1200, completion_tokens: 300, total_tokens: 1500 }),
  );
  claude = await startUpstream();
  claude.answer(
    messagesReply('Hello there', {
      input_tokens: 1000,
      output_tokens: 200,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 0,
    }),
  );
});
afterAll(async () => {
  await gateway?.stop('SIGKILL');
  await openAi.close();
  await claude.close();
  folder.remove();
});

describe('the first request', () => {
  it('sets up without a browser, before the gateway runs', async () => {
    const { code, stderr } = await runBinary(
      ['setup', '--username', 'root', '--password-stdin', ...data],
      'a long password',
    );
    expect(stderr + code).toMatch(/0$/);
    const again = await runBinary(
      ['setup', '--username', 'other', '--password-stdin', ...data],
      'a long password',
    );
    expect(again.code).not.toBe(0);
  });

  it('serves, refuses a second process on the folder, and takes commands while running', async () => {
    gateway = await serveBinary(folder.path);
    expect((await runBinary(['serve', '--port', '0', '--no-open', ...data])).code).toBe(5);
    const add = (name: string, type: string, url: string, models: string) =>
      runJson<{ ids: number[] }>(
        [
          'channels',
          'add',
          '--name',
          name,
          '--type',
          type,
          '--key-stdin',
          '--base-url',
          url,
          '--models',
          models,
          ...data,
        ],
        'upstream-secret\n',
      );
    expect((await add('openai', 'openai', openAi.url, 'gpt-4o')).ids).toEqual([1]);
    expect(
      (await add('claude', 'anthropic', claude.url, 'claude-3-5-sonnet-20241022')).ids,
    ).toEqual([2]);
    expect((await runBinary(['channels', 'test', '1', ...data])).code).toBe(0);
  });

  it('serves the official SDKs, streamed and plain, and logs the cost by the formula', async () => {
    const { key } = await runJson<{ id: number; key: string }>([
      'tokens',
      'add',
      '--name',
      'e2e',
      '--unlimited',
      ...data,
    ]);
    expect(key).toMatch(/^sk-[A-Za-z0-9]{48}$/);
    const base = gateway?.url ?? '';
    const chat = new OpenAI({ apiKey: key, baseURL: `${base}/v1` });
    const plain = await chat.chat.completions.create({
      model: 'gpt-4o',
      messages: [{ role: 'user', content: 'hi' }],
    });
    expect(plain.choices[0]?.message.content).toBe('Hello there');
    let text = '';
    for await (const chunk of await chat.chat.completions.create({
      model: 'gpt-4o',
      messages: [{ role: 'user', content: 'hi' }],
      stream: true,
    })) {
      text += chunk.choices[0]?.delta.content ?? '';
    }
    expect(text).toBe('Hello there');
    const messages = new Anthropic({ apiKey: key, baseURL: base });
    const request = {
      model: 'claude-3-5-sonnet-20241022',
      max_tokens: 500,
      messages: [{ role: 'user' as const, content: 'hi' }],
    };
    expect((await messages.messages.create(request)).content).toEqual([
      { type: 'text', text: 'Hello there' },
    ]);
    expect((await messages.messages.stream(request).finalMessage()).content).toEqual([
      { type: 'text', text: 'Hello there' },
    ]);

    const { items } = await runJson<{ items: Row[]; total: number }>(['logs', 'list', ...data]);
    const served = items.filter((row) => row.quota > 0);
    expect(served).toHaveLength(4);
    const ratios: Record<string, readonly [model: number, completion: number]> = {
      'gpt-4o': [1.25, 4],
      'claude-3-5-sonnet-20241022': [1.5, 5],
    };
    for (const row of served) {
      const [ratio, completion] = ratios[row.model_name] ?? [0, 0];
      // docs/rules/pricing.md#token-formula: group ratio × model ratio × (prompt + completion ×
      // completion ratio).
      expect(row.quota).toBe(
        Math.round(ratio * (row.prompt_tokens + row.completion_tokens * completion)),
      );
    }
    expect(served.filter((row) => row.is_stream)).toHaveLength(2);
  });

  it('verifies the ledger, running and stopped', async () => {
    expect(await runJson(['ledger', 'verify', ...data])).toMatchObject({ ok: true, drifts: [] });
    expect(await gateway?.stop('SIGTERM')).toBe(0);
    gateway = undefined;
    expect(await runJson(['ledger', 'verify', ...data])).toMatchObject({ ok: true, drifts: [] });
  });

  it('stores no secret in clear in its database', async () => {
    const { readFileSync, readdirSync } = await import('node:fs');
    const files = readdirSync(folder.path, { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile(),
    );
    for (const file of files)
      expect(
        readFileSync(`${file.parentPath}/${file.name}`).includes('upstream-secret'),
        file.name,
      ).toBe(false);
  });
});
