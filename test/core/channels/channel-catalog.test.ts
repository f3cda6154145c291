import { expect, test } from 'vitest';
import { createChannelCatalog } from '../../../src/core/channels/channel-catalog.ts';
import { builtInProviders } from '../../../src/core/providers/index.ts';
import { createTestApp } from '../../support/app.ts';
import { createMovingClock } from '../../support/moving-clock.ts';

function catalogOn(day: string) {
  return createChannelCatalog(builtInProviders, createMovingClock(Date.parse(`${day}T12:00:00Z`)));
}

const catalog = catalogOn('2026-11-28');

test('types whose models are actions of ours have a list of their own, also where an upstream is asked for one', async () => {
  const byType = catalog.modelsByType();
  expect(byType['2']).toEqual(expect.arrayContaining(['mj_imagine', 'mj_upload']));
  expect(byType['5']?.[0]).toBe('swap_face');
  expect(byType['36']).toEqual(['suno_music', 'suno_lyrics']);
  const { operator } = await createTestApp();
  expect(
    await operator.channel.previewModels({ type: 36, base_url: 'https://suno.test', key: 'k' }),
  ).toEqual(byType['36']);
});

test('forms learn what a type needs: key, other, plans, its own settings', () => {
  const byType = new Map(catalog.types().map((facts) => [facts.slug, facts]));
  expect(byType.get('ollama')).toMatchObject({ key_optional: true, key_json: false });
  expect(byType.get('vertex')).toMatchObject({
    key_optional: false,
    key_json: true,
    other_required: true,
  });
  expect(byType.get('vertex')?.settings).toContainEqual({
    name: 'vertex_key_type',
    kind: 'text',
    choices: ['json', 'api_key'],
  });
  expect(byType.get('openai')?.settings.map(({ name }) => name)).toContain('use_responses');
  expect(byType.get('zhipu-4v')?.plan_words).toContain('glm-coding-plan');
  expect(byType.get('custom')?.complete_url).toBe(true);
  expect(byType.get('deepseek')).toMatchObject({ lists_models: true, reads_balance: true });
  expect(byType.get('anthropic')?.settings).toEqual([]);
});

test('every other type that is served lists its vendor’s models, or none where it has none of its own', () => {
  for (const { type, models, available } of catalog.types()) {
    expect(new Set(models).size, String(type)).toBe(models.length);
    if (type === 1 || type === 14 || type === 24)
      expect([available, models.length > 0]).toEqual([true, true]);
  }
});

test('lists have this year’s models and none that its vendor has ended', () => {
  const byType = catalog.modelsByType();
  const offered = (type: number) => new Set(byType[String(type)]);
  const sold = {
    1: ['gpt-6.1-sol', 'gpt-5.6-luna', 'gpt-image-2.6-flare', 'whisper-1', 'gpt-4o-2024-11-20'],
    14: ['claude-opus-5-5', 'claude-sonnet-4-5-20250929', 'claude-opus-4-6-high'],
    24: ['gemini-4-argon', 'gemini-2.5-pro'],
    17: ['qwen3.8-max', 'text-embedding-v4'],
    25: ['kimi-k3.1-pro'],
    26: ['glm-5.3'],
    27: ['sonar-pro'],
    33: ['claude-opus-5-5', 'claude-opus-4-1-20250805', 'nova-pro-v1:0'],
    35: ['MiniMax-M3'],
    42: ['mistral-large-4'],
    43: ['deepseek-v4-pro'],
    48: ['grok-4.7'],
  };
  for (const [type, models] of Object.entries(sold))
    expect([type, models.filter((model) => !offered(Number(type)).has(model))]).toEqual([type, []]);
  const ended =
    `deepseek-chat deepseek-reasoner gpt-5-chat-latest gpt-5-codex moonshot-v1-8k moonshot-v1-32k moonshot-v1-128k
    babbage-002 davinci-002 gpt-3.5-turbo-1106 gpt-3.5-turbo-instruct sora-2 sora-2-pro gpt-4 gpt-4-0613 gpt-4-turbo
    gpt-4-turbo-2024-04-09 gpt-4-1106-preview gpt-3.5-turbo gpt-3.5-turbo-0125 gpt-3.5-turbo-16k gpt-4o-2024-05-13 gpt-4.1-nano
    gpt-image-1 o1-2024-12-17 o1-pro o3-mini o3-mini-2025-01-31 o4-mini grok-code-fast-1 claude-3-haiku-20240307
    claude-3-7-sonnet-20250219 claude-opus-4-1-20250805 dall-e-3 gemini-2.0-flash imagen-4.0-generate-001 kimi-k2.5`.split(
      /\s+/,
    );
  for (const type of [1, 14, 24, 25, 43, 48])
    expect([type, ended.filter((model) => offered(type).has(model))]).toEqual([type, []]);
});

test('a model leaves the lists on the day of its end, at a cloud on a day of its own', () => {
  const has = (day: string, type: number, model: string) =>
    catalogOn(day).modelsByType()[String(type)]?.includes(model);
  const [anthropic, bedrock, vertex] = [14, 33, 41];
  expect(has('2026-11-29', anthropic, 'claude-sonnet-4-5-20250929')).toBe(true);
  expect(has('2026-11-30', anthropic, 'claude-sonnet-4-5-20250929')).toBe(false);
  expect(has('2026-11-30', bedrock, 'claude-sonnet-4-5-20250929')).toBe(true);
  expect(has('2027-04-08', bedrock, 'claude-sonnet-4-5-20250929')).toBe(false);
  expect(has('2026-11-28', vertex, 'gemini-2.5-pro')).toBe(false);
});
