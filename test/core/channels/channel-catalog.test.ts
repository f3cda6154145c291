import { expect, test } from 'vitest';
import { createChannelCatalog } from '../../../src/core/channels/channel-catalog.ts';
import { builtInProviders } from '../../../src/core/providers/index.ts';
import { createTestApp } from '../../support/app.ts';

const catalog = createChannelCatalog(builtInProviders);

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
