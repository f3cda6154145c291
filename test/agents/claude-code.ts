import { countOf, recordOf, textOf } from '../../src/core/canonical/kit/read-json.ts';
import type { Agent } from './agent.ts';

export const claudeCode: Agent = {
  name: 'claude-code',
  package: '@anthropic-ai/claude-code',
  version: '2.1.329',
  prepare: 'install.cjs',
  wire: 'messages',
  // The older one thinks within a budget, the newer one adaptively, with system messages in the
  // conversation.
  models: ['claude-opus-5-5', 'claude-sonnet-4-5'],
  files: () => ({}),
  environment: ({ url, key }) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_AUTH_TOKEN: key,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  }),
  args: ({ model }, prompt) => [
    '-p',
    '--model',
    model,
    '--output-format',
    'json',
    '--no-session-persistence',
    '--allowedTools',
    'Bash(cat:*)',
    '--',
    prompt,
  ],
  read: (file) => ({
    tool: 'Bash',
    input: { command: `cat ${file}`, description: `Print ${file}` },
  }),
  checkForwarded: ({ path, headers }) => [
    ...(path.endsWith('?beta=true') ? [] : [`the query was lost: ${path}`]),
    ...(String(headers['anthropic-beta']).includes('claude-code-20250219')
      ? []
      : ['the betas were lost']),
  ],
  report: (stdout) => {
    const result = recordOf(JSON.parse(stdout)) ?? {};
    if (result['is_error'] !== false) throw new Error(`it gave up: ${String(result['result'])}`);
    const usage = recordOf(result['usage']) ?? {};
    const count = (name: string) => countOf(usage[name]) ?? 0;
    const cached = count('cache_read_input_tokens');
    const prompt = count('input_tokens') + count('cache_creation_input_tokens') + cached;
    return {
      text: textOf(result['result']) ?? '',
      shown: { prompt, cached, output: count('output_tokens') },
    };
  },
};
