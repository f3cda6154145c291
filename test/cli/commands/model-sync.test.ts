/** `turnpike models sync` with the real core (docs/rules/models.md#sync). */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { knownModels } from '../../../src/core/models/known-models.ts';
import { createLocalTransport } from '../../../src/server/local-client.ts';
import { createTestApp } from '../../support/app.ts';
import { type RunOptions, runCli } from '../run-cli.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-models-'));
});
afterEach(() => {
  knownModels.replaceAdded({ rules: [], rows: [] });
  rmSync(folder, { recursive: true, force: true });
});

async function openSite() {
  const { app, operator } = await createTestApp();
  const transport = createLocalTransport(app, undefined, 'en');
  const turnpike = (line: readonly string[], options: RunOptions = {}) =>
    runCli(line, { transport, ...options });
  return { operator, turnpike };
}

const litellm = {
  'gpt-7-nova': {
    litellm_provider: 'openai',
    mode: 'chat',
    input_cost_per_token: 4e-6,
    output_cost_per_token: 2e-5,
  },
  'gpt-6-sol': {
    litellm_provider: 'openai',
    mode: 'chat',
    input_cost_per_token: 3e-6,
    output_cost_per_token: 1e-5,
  },
  'elsewhere/model': { litellm_provider: 'novita', mode: 'chat', input_cost_per_token: 1e-6 },
};

test('a file of LiteLLM is shown, adopted, and its prices confirmed by name', async () => {
  const { turnpike } = await openSite();
  const file = join(folder, 'litellm.json');
  writeFileSync(file, JSON.stringify(litellm));

  const shown = await turnpike(['models', 'sync', file]);
  expect(shown.exitCode).toBe(0);
  expect(shown.stdout).toMatch(/gpt-7-nova +openai +new +.*input 4, output 20.* +waits/);
  expect(shown.stdout).toMatch(/gpt-6-sol +openai +price +input 2 → 3 +waits/);
  expect(shown.stdout).not.toContain('elsewhere');

  const applied = await turnpike(['models', 'sync', file, '--apply']);
  expect(applied.stdout).toMatch(/gpt-7-nova .*adopted/);
  expect(applied.stdout).toMatch(/gpt-6-sol .*waits/);
  const price = async (model: string) =>
    (
      await turnpike(['pricing', 'explain', '--model', model, '--prompt', '1000000', '--json'])
    ).json();
  expect(await price('gpt-7-nova')).toMatchObject({ quota: 2_000_000 });
  expect(await price('gpt-6-sol')).toMatchObject({ quota: 2_000_000 });

  const confirmed = await turnpike(['models', 'sync', file, '--prices', 'gpt-6-sol', '--json']);
  expect(confirmed.json()).toMatchObject({
    sources: [{ name: 'litellm.json', models: 2, error: '' }],
    changes: [{ model: 'gpt-6-sol', kind: 'price', adopted: true }],
  });
  const again = await turnpike(['models', 'sync', file]);
  expect([again.stdout, again.stderr]).toEqual(['', expect.stringContaining('Nothing is new')]);
});

test('the list may come from standard input, and what is none is refused', async () => {
  const { turnpike } = await openSite();
  const piped = await turnpike(['models', 'sync', '-', '--json'], {
    input: JSON.stringify(litellm),
  });
  expect(piped.json()).toMatchObject({ changes: [{}, {}] });
  const refused = await turnpike(['models', 'sync', '-'], { input: '{}' });
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('no list')]);
});

test('an address that cannot be read is named, and the exit code says so', async () => {
  const { operator, turnpike } = await openSite();
  const key = 'model_sync.address';
  await operator.option.set({ key, value: 'http://127.0.0.1:1/models.json' });
  const { exitCode, stderr } = await turnpike(['models', 'sync', 'address']);
  expect(exitCode).toBe(1);
  expect(stderr).toContain('http://127.0.0.1:1/models.json could not be read');
});

const nova = { source: 'https://vendor.example/models', seen: '2026-11-28', vendor: 'openai' };
const perMillion = { input: 4, output: 20 };
/** The same model in each format that a file can have. */
const files = {
  'models.dev': { openai: { models: { 'gpt-7-nova': { cost: perMillion } } } },
  'genai-prices': [
    { id: 'openai', models: [{ id: 'gpt-7-nova', prices: { input_mtok: 4, output_mtok: 20 } }] },
  ],
  OpenRouter: {
    data: [{ id: 'gpt-7-nova', pricing: { prompt: '0.000004', completion: '0.00002' } }],
  },
  Turnpike: {
    format: 'turnpike-models',
    rules: [{ family: 'gpt-7', of: ['gpt-7'], efforts: ['max'], ...nova }],
    rows: [{ name: 'gpt-7-nova', kind: 'chat', price: perMillion, ...nova }],
  },
};

test.each(Object.entries(files))(
  'a file of %s is adopted without any network',
  async (format, list) => {
    const { operator, turnpike } = await openSite();
    const channel = { key: 'sk', group: 'default', models: 'gpt-7-nova' };
    if (format === 'OpenRouter') await operator.channel.create({ type: 20, name: 'c', ...channel });
    const file = join(folder, 'list.json');
    writeFileSync(file, JSON.stringify(list));
    const applied = await turnpike(['models', 'sync', file, '--apply']);
    expect(applied.stdout).toMatch(/gpt-7-nova +(openai|openrouter) +new +.*adopted/);
    const { row, facts } = knownModels.find('gpt-7-nova');
    expect(row?.price).toEqual(perMillion);
    expect(facts.efforts).toEqual(
      format === 'Turnpike' ? ['max'] : knownModels.find('gpt-7-x').facts.efforts,
    );
    // Cut off in the middle, nothing of it counts.
    writeFileSync(file, JSON.stringify(list).slice(0, -2));
    const refused = await turnpike(['models', 'sync', file, '--apply']);
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('no list')]);
  },
);
