import { describe, expect, it } from 'vitest';
import { createChannelCatalog } from '../../../src/core/channels/channel-catalog.ts';
import { builtInProviders } from '../../../src/core/providers/index.ts';
import { recogniseType } from '../../../src/ui/components/recognise-type.ts';
import { createMovingClock } from '../../support/moving-clock.ts';

const types = createChannelCatalog(builtInProviders, createMovingClock(0)).types();
const nameFor = (key: string, base_url = '') =>
  types.find(({ type }) => type === recogniseType(types, { key, base_url }))?.name;

describe('a pasted key', () => {
  it.each([
    ['sk-ant-api03-x', 'Claude'],
    ['  sk-or-v1-x\n', 'OpenRouter'],
    ['AIzaSyx', 'Gemini'],
    ['xai-x', 'xAI'],
    ['pplx-x', 'Perplexity'],
    ['jina_x', 'Jina'],
    ['fastgpt-x', 'FastGPT'],
    ['bce-v3/ALTAK-x/y', 'Baidu V2'],
    ['sk-ant-a\nsk-ant-b', 'Claude'],
  ])('names its vendor: %j', (key, name) => {
    expect(nameFor(key)).toBe(name);
  });

  it.each(['sk-x', 'x', '', 'xai-', '0123456789abcdef0123456789abcdef'])(
    'of many vendors, or half typed, names none: %j',
    (key) => {
      expect(nameFor(key)).toBeUndefined();
    },
  );
});

describe('an address', () => {
  it('is recognised for every vendor that has one', () => {
    const urls = types.flatMap(({ default_base_url, available }) =>
      available && default_base_url ? [default_base_url] : [],
    );
    expect(urls.length).toBeGreaterThan(20);
    for (const url of urls) {
      const found = recogniseType(types, { key: '', base_url: `${url}/v1` });
      const address = types.find(({ type }) => type === found)?.default_base_url ?? '';
      expect(new URL(address).host).toBe(new URL(url).host);
    }
  });

  it.each(['https://proxy.example', 'api.deepseek.com', 'not an address', ''])(
    'that is nobody’s names none: %j',
    (url) => {
      expect(nameFor('', url)).toBeUndefined();
    },
  );

  it('counts less than the key', () => {
    expect(nameFor('sk-ant-x', 'https://api.deepseek.com')).toBe('Claude');
    expect(nameFor('sk-x', 'https://api.deepseek.com')).toBe('DeepSeek');
  });

  it('is not one of a type whose provider is not there', () => {
    const gone = types.map((entry) => ({ ...entry, available: false }));
    expect(recogniseType(gone, { key: 'sk-ant-x', base_url: '' })).toBeUndefined();
  });
});
