/**
 * Claude Code: Anthropic's messages, always streamed. Betas and fields are those of version
 * 2.1.329.
 */
import { parseObject } from '../../../../core/kernel/json.ts';
import {
  type AgentClient,
  bearer,
  type ClientCheck,
  isToolInput,
  type Loose,
  lacks,
  lacksEnd,
  listOf,
  maxTokens,
  mends,
  prompts,
  type Reply,
  recordOf,
  shellWord,
  titles,
  tool,
} from './client-check.ts';

const betas = [
  'claude-code-20250219',
  'interleaved-thinking-2025-05-14',
  'context-management-2025-06-27',
  'per-turn-control-2026-07-01',
  'mid-conversation-tool-changes-2026-07-01',
  'thinking-token-count-2026-05-13',
  'advanced-tool-use-2025-11-20',
  'effort-2025-11-24',
];
const session = '00000000-0000-4000-8000-000000000000';
const user_id = JSON.stringify({
  device_id: 'turnpike-doctor',
  account_uuid: '',
  session_id: session,
});
const system = [
  { type: 'text', text: 'x-anthropic-billing-header: cc_version=2.1.329; cc_entrypoint=sdk-cli;' },
  { type: 'text', text: prompts.system, cache_control: { type: 'ephemeral' } },
];
const tools = [{ name: tool.name, description: tool.description, input_schema: tool.schema }];
const path = '/v1/messages?beta=true';

interface StreamedMessage {
  readonly blocks: readonly Loose[];
  readonly usage: Loose;
  readonly ended: boolean;
}

/** The message that the events of a stream build up. */
function readMessage({ events }: Pick<Reply, 'events'>): StreamedMessage {
  const blocks: Record<string, unknown>[] = [];
  let usage: Loose = {};
  for (const event of events) {
    const block = blocks[Number(event['index'])];
    const delta = recordOf(event['delta']);
    if (event['type'] === 'message_start') usage = recordOf(recordOf(event['message'])['usage']);
    if (event['type'] === 'message_delta') usage = { ...usage, ...recordOf(event['usage']) };
    if (event['type'] === 'content_block_start')
      blocks[Number(event['index'])] = { ...recordOf(event['content_block']) };
    if (event['type'] !== 'content_block_delta' || block === undefined) continue;
    if (delta['type'] === 'input_json_delta')
      block['json'] = `${block['json'] ?? ''}${delta['partial_json']}`;
    for (const name of ['text', 'thinking', 'signature'])
      if (typeof delta[name] === 'string') block[name] = `${block[name] ?? ''}${delta[name]}`;
  }
  const whole = blocks.map(({ json, ...block }) =>
    json === undefined ? block : { ...block, input: parseObject(String(json)) },
  );
  return { blocks: whole, usage, ended: events.some(({ type }) => type === 'message_stop') };
}

const hasText = (blocks: readonly Loose[]) =>
  blocks.some(({ type, text }) => type === 'text' && text !== '');
const toolUse = (blocks: readonly Loose[]) =>
  blocks.find(({ type, name }) => type === 'tool_use' && name === tool.name);

function missingOfStream(reply: Reply) {
  const { blocks, usage, ended } = readMessage(reply);
  if (reply.events.length === 0) return lacks.noEvents;
  if (!ended) return lacksEnd('message_stop');
  if (blocks.length === 0) return lacks.noText;
  return Number(usage['output_tokens']) > 0 ? undefined : lacks.noUsage;
}

function checks(model: string): readonly ClientCheck[] {
  const base = { model, max_tokens: maxTokens, system, metadata: { user_id }, stream: true };
  const ask = (content: string, more: object = {}) => ({
    path,
    body: { ...base, messages: [{ role: 'user', content }], ...more },
  });
  return [
    {
      id: 'models',
      title: titles.models,
      optional: true,
      request: () => ({ path: '/v1/models?limit=1000' }),
      missing: ({ json }) =>
        listOf(json['data']).some(({ id }) => id === model) ? undefined : lacks.notListed,
      mend: mends.models,
    },
    {
      id: 'count',
      title: titles.count,
      optional: true,
      request: () => ({
        path: '/v1/messages/count_tokens?beta=true',
        body: { model, messages: [{ role: 'user', content: 'foo' }], tools },
      }),
      missing: ({ json }) => (Number(json['input_tokens']) > 0 ? undefined : lacks.noCount),
      mend: mends.count,
    },
    {
      id: 'stream',
      title: titles.stream,
      request: () => ask(prompts.word),
      missing: (reply) =>
        missingOfStream(reply) ?? (hasText(readMessage(reply).blocks) ? undefined : lacks.noText),
      mend: mends.stream,
    },
    {
      id: 'tool',
      title: titles.tool,
      request: () => ask(prompts.tool, { tools }),
      missing: (reply) => {
        const call = toolUse(readMessage(reply).blocks);
        if (call === undefined) return missingOfStream(reply) ?? lacks.noCall;
        return (
          missingOfStream(reply) ?? (isToolInput(call['input']) ? undefined : lacks.badArguments)
        );
      },
      mend: mends.tool,
    },
    {
      id: 'result',
      title: titles.result,
      request: (earlier) => {
        const { blocks } = readMessage(earlier.get('tool') ?? { events: [] });
        const call = toolUse(blocks);
        if (call === undefined) return undefined;
        const result = { type: 'tool_result', tool_use_id: call['id'], content: tool.result };
        const messages = [
          { role: 'user', content: prompts.tool },
          { role: 'assistant', content: blocks },
          { role: 'user', content: [result] },
        ];
        return { path, body: { ...base, tools, messages } };
      },
      missing: missingOfStream,
      mend: mends.result,
    },
    {
      id: 'thinking',
      title: { en: 'Extended thinking', zh: '扩展思考' },
      optional: true,
      request: () => ask(prompts.word, thinkingOf(model)),
      missing: missingOfStream,
      mend: {
        en: 'The upstream refuses `thinking` or a beta that goes with it. CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS=1 makes the client send fewer',
        zh: '上游拒绝 `thinking` 或相应的 beta。设置 CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS=1 可使客户端少用这些功能',
      },
    },
    {
      id: 'whole',
      title: titles.whole,
      optional: true,
      request: () => ask(prompts.word, { stream: false }),
      missing: ({ json }) => (hasText(listOf(json['content'])) ? undefined : lacks.noText),
      mend: mends.whole,
    },
  ];
}

/** Models of 2025 think within a budget, later ones as they see fit. */
function thinkingOf(model: string): object {
  const context_management = { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] };
  const byBudget = /-(3-7|4-5|4-1|4-0|sonnet-4|opus-4)(-\d{8})?$/.test(model);
  if (byBudget)
    return {
      max_tokens: 4096,
      thinking: { type: 'enabled', budget_tokens: 1024 },
      context_management,
    };
  return {
    max_tokens: 4096,
    thinking: { type: 'adaptive' },
    context_management,
    output_config: { effort: 'low' },
  };
}

export const claudeCode: AgentClient = {
  name: 'Claude Code',
  headers: (key) => ({
    ...bearer(key),
    'anthropic-version': '2023-06-01',
    'anthropic-beta': betas.join(','),
    'user-agent': 'claude-cli/2.1.329 (external, sdk-cli)',
    'x-app': 'cli',
    'x-claude-code-session-id': session,
  }),
  settings: ({ site, model, key }) => {
    const env = {
      ANTHROPIC_BASE_URL: site,
      ANTHROPIC_AUTH_TOKEN: key,
      ANTHROPIC_MODEL: model,
      ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    };
    const exports = Object.entries(env).map(
      ([name, value]) => `export ${name}=${shellWord(value)}`,
    );
    return [
      { text: [...exports, 'claude'].join('\n') },
      { file: '~/.claude/settings.json', text: JSON.stringify({ env }, null, 2) },
    ];
  },
  checks,
};
