import { fileURLToPath } from 'node:url';
import { countOf, textOf } from '../../src/core/canonical/kit/read-json.ts';
import { parseObject } from '../../src/core/kernel/json.ts';
import type { Agent } from './agent.ts';

/** Vercel's AI SDK in the version of package.json. */
export const aiSdk: Agent = {
  name: 'ai-sdk',
  package: 'ai',
  script: fileURLToPath(new URL('ai-sdk-client.ts', import.meta.url)),
  version: '',
  wire: 'responses',
  refers: true,
  models: ['gpt-5.4'],
  files: () => ({}),
  environment: () => ({}),
  args: ({ url, key, model }, prompt) => [url, key, model, prompt],
  read: (file) => ({ tool: 'read_file', input: { file } }),
  report: (stdout) => {
    const { text, inputTokens, outputTokens, cachedTokens } = parseObject(stdout) ?? {};
    return {
      text: textOf(text) ?? '',
      shown: { prompt: countOf(inputTokens) ?? 0, cached: countOf(cachedTokens) ?? 0, output: countOf(outputTokens) ?? 0 },
    };
  },
};
