import { countOf, recordOf, textOf } from '../../src/core/canonical/kit/read-json.ts';
import type { Agent } from './agent.ts';

const settings = {
  security: { auth: { selectedType: 'gemini-api-key' } },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
};

export const geminiCli: Agent = {
  name: 'gemini-cli',
  package: '@google/gemini-cli',
  version: '0.61.0',
  wire: 'gemini',
  // The newer one uses thinking levels, the older one a thinking budget.
  models: ['gemini-3.8-flash', 'gemini-2.5-pro'],
  files: () => ({ '.gemini/settings.json': JSON.stringify(settings) }),
  environment: ({ url, key }) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: key }),
  args: ({ model }, prompt) => [
    '-m',
    model,
    '--yolo',
    '--skip-trust',
    '--output-format',
    'json',
    '-p',
    prompt,
  ],
  read: (file) => ({
    tool: 'run_shell_command',
    input: { command: `cat ${file}`, description: `Print ${file}` },
  }),
  report: (stdout) => {
    const result = recordOf(JSON.parse(stdout.slice(stdout.indexOf('{')))) ?? {};
    const models = Object.values(recordOf(recordOf(result['stats'])?.['models']) ?? {});
    const tokens = models.map((model) => recordOf(recordOf(model)?.['tokens']) ?? {});
    const sum = (name: string) => tokens.reduce((all, one) => all + (countOf(one[name]) ?? 0), 0);
    return {
      text: textOf(result['response']) ?? '',
      shown: {
        prompt: sum('prompt'),
        cached: sum('cached'),
        output: sum('candidates') + sum('thoughts'),
      },
    };
  },
};
