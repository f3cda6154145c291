import { countOf, type Loose, recordOf, textOf } from '../../src/core/canonical/kit/read-json.ts';
import type { Agent, Target } from './agent.ts';
import { jsonLines } from './json-lines.ts';

function config({ url, key, model }: Target): string {
  const limit = { context: 200_000, output: 32_000 };
  const provider = {
    npm: '@ai-sdk/openai-compatible',
    name: 'gateway',
    options: { baseURL: `${url}/v1`, apiKey: key },
    models: { [model]: { name: model, tool_call: true, reasoning: true, limit } },
  };
  return JSON.stringify({
    $schema: 'https://opencode.ai/config.json',
    autoupdate: false,
    share: 'disabled',
    model: `gateway/${model}`,
    small_model: `gateway/${model}`,
    enabled_providers: ['gateway'],
    permission: { bash: 'allow' },
    provider: { gateway: provider },
  });
}

/** Its sums exclude cached tokens and list reasoning separately. */
function tokensOf(part: Loose | undefined) {
  const tokens = recordOf(part?.['tokens']) ?? {};
  const cache = recordOf(tokens['cache']) ?? {};
  const cached = countOf(cache['read']) ?? 0;
  return {
    prompt: (countOf(tokens['input']) ?? 0) + cached + (countOf(cache['write']) ?? 0),
    cached,
    output: (countOf(tokens['output']) ?? 0) + (countOf(tokens['reasoning']) ?? 0),
  };
}

export const opencode: Agent = {
  name: 'opencode',
  package: 'opencode-ai',
  version: '1.18.33',
  prepare: 'postinstall.mjs',
  wire: 'chat',
  models: ['gpt-5.4'],
  files: (target) => ({ '.config/opencode/opencode.json': config(target) }),
  environment: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
  args: ({ model }, prompt) => [
    'run',
    '--pure',
    '--format',
    'json',
    '-m',
    `gateway/${model}`,
    prompt,
  ],
  read: (file) => ({
    tool: 'bash',
    input: { command: `cat ${file}`, description: `Print ${file}` },
  }),
  report: (stdout) => {
    const lines = jsonLines(stdout);
    const failed = lines.find((line) => line['type'] === 'error');
    if (failed !== undefined) throw new Error(`it gave up: ${JSON.stringify(failed)}`);
    const partsOf = (type: string) =>
      lines.filter((line) => line['type'] === type).map((line) => recordOf(line['part']));
    const steps = partsOf('step_finish').map(tokensOf);
    const sum = (name: 'prompt' | 'cached' | 'output') =>
      steps.reduce((all, step) => all + step[name], 0);
    return {
      text: textOf(partsOf('text').at(-1)?.['text']) ?? '',
      shown: { prompt: sum('prompt'), cached: sum('cached'), output: sum('output') },
    };
  },
};
