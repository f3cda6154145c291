import { countOf, recordOf, textOf } from '../../src/core/canonical/kit/read-json.ts';
import type { Agent, Target } from './agent.ts';
import { jsonLines } from './json-lines.ts';

/**
 * A model that Codex only knows from the gateway's catalogue; it does not query the catalogue for
 * the others.
 */
const catalogued = 'gpt-5.4';

const catalogue = (url: string) => `model_catalog_url = "${url}/v1/models"

[features]
api_key_model_discovery = true`;

const config = ({ url, model }: Target, socket: boolean) => `
model_provider = "gateway"
check_for_update_on_startup = false

[model_providers.gateway]
name = "gateway"
base_url = "${url}/v1"
env_key = "GATEWAY_KEY"
supports_websockets = ${socket}
${model === catalogued ? catalogue(url) : ''}

[analytics]
enabled = false

[feedback]
enabled = false
`;

function report(stdout: string): ReturnType<Agent['report']> {
  const lines = jsonLines(stdout);
  const failed = lines.find((line) => line['type'] === 'turn.failed' || line['type'] === 'error');
  if (failed !== undefined) throw new Error(`it gave up: ${JSON.stringify(failed)}`);
  const items = lines
    .filter((line) => line['type'] === 'item.completed')
    .map((line) => recordOf(line['item']));
  const last = items.findLast((item) => item?.['type'] === 'agent_message');
  const usage = recordOf(lines.find((line) => line['type'] === 'turn.completed')?.['usage']) ?? {};
  const count = (name: string) => countOf(usage[name]) ?? 0;
  return {
    text: textOf(last?.['text']) ?? '',
    shown: {
      prompt: count('input_tokens'),
      cached: count('cached_input_tokens'),
      output: count('output_tokens'),
    },
  };
}

/** Over a WebSocket it only sends new items and relies on the connection for the earlier ones. */
function codexBy(transport: 'requests' | 'socket'): Agent {
  const socket = transport === 'socket';
  return {
    name: socket ? 'codex-socket' : 'codex',
    package: '@openai/codex',
    version: '0.169.0',
    wire: 'responses',
    // Without its sandbox it declares a live search, which not every upstream has.
    setting: { leave_out_tools: true },
    // The second sends its tools as an input item, in namespaces, and one of them takes free text.
    models: ['gpt-5.5', 'gpt-6.1-sol', catalogued],
    offers: { [catalogued]: 'apply_patch' },
    files: (target) => ({ '.codex/config.toml': config(target, socket) }),
    environment: ({ key }) => ({ GATEWAY_KEY: key }),
    args: ({ model }, prompt) => [
      'exec',
      '--json',
      '--ephemeral',
      '--skip-git-repo-check',
      '--dangerously-bypass-approvals-and-sandbox',
      '-m',
      model,
      prompt,
    ],
    read: (file, tools) => {
      const command = { cmd: `cat ${file}` };
      const script = tools.find((name) => name === 'exec' || name.endsWith('__exec'));
      if (script === undefined) return { tool: 'exec_command', input: command };
      return {
        tool: script,
        input: `text((await tools.exec_command(${JSON.stringify(command)})).output);`,
      };
    },
    report,
    checkTraffic: (lines) => {
      const asked = socket ? 'GET' : 'POST';
      const other = lines.filter(
        (line) => /^\w+ \/v1\/responses/.test(line) && !line.startsWith(asked),
      );
      return other.map((line) => `it fell back to ${line}`);
    },
  };
}

export const codex = codexBy('requests');
export const codexSocket = codexBy('socket');
