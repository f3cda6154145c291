/** Base URLs that end in /v1 (docs/rules/providers.md#addresses-and-headers). */
import { expect, test } from 'vitest';
import { takesVersion } from '../../../src/core/channels/takes-version.ts';
import { builtInProviders } from '../../../src/core/providers/index.ts';
import { channelTypes } from '../../../src/core/vocabulary/channel-types.ts';

/** Whose chats go elsewhere when the base URL ends in /v1. */
const broken = [
  'gemini',
  'azure',
  'aws',
  'vertex',
  'volcengine',
  'zhipu-4v',
  'zhipu',
  'baidu',
  'baidu-v2',
  'xunfei',
  'tencent',
  'cloudflare',
  'ai-proxy',
  'palm',
  'custom',
];

test('a base URL may end in /v1 where the type adds no second one', () => {
  const found = channelTypes.flatMap(({ type, slug }) => {
    const provider = builtInProviders.forType(type);
    return provider === undefined || takesVersion(provider) ? [] : [slug];
  });
  expect(found).toEqual(broken);
});
