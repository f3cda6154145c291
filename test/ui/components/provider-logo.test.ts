import { describe, expect, it } from 'vitest';
import { channelTypes } from '../../../src/core/vocabulary/channel-types.ts';
import { logoOfModel, logoOfType } from '../../../src/ui/components/provider-logo-names.ts';

describe('provider logos', () => {
  it.each([
    ['gpt-5.1', 'openai'],
    ['o3', 'openai'],
    ['claude-sonnet-4-5', 'claude'],
    ['anthropic/claude-3.5-sonnet', 'claude'],
    ['deepseek-v3.2', 'deepseek'],
    ['Qwen/Qwen3-Max', 'qwen'],
    ['kimi-k2-thinking', 'kimi'],
    ['ollama-something', undefined],
    ['', undefined],
  ])('model %s has the logo %s', (model, logo) => expect(logoOfModel(model)).toBe(logo));

  it('has a logo for every offered type except those without a vendor', () => {
    const without = channelTypes.filter(
      (entry) => !('imported' in entry) && logoOfType(entry.type) === undefined,
    );
    expect(without.map((entry) => entry.slug)).toEqual(['moka', 'ai-proxy', 'custom']);
  });
});
