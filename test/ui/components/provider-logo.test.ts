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
  ])('%s is by %s', (model, logo) => expect(logoOfModel(model)).toBe(logo));

  it('has a logo for every type that is offered, but those without a maker', () => {
    const without = channelTypes.filter((entry) => !('imported' in entry) && logoOfType(entry.type) === undefined);
    expect(without.map((entry) => entry.slug)).toEqual(['moka', 'ai-proxy', 'custom']);
  });
});
