/**
 * Codex: OpenAI's Responses, always streamed and never stored. Fields are those of version 0.169.0.
 */
import {
  type AgentClient,
  bearer,
  type ClientCheck,
  isToolInput,
  type Loose,
  lacks,
  lacksEnd,
  listOf,
  mends,
  prompts,
  type Reply,
  recordOf,
  shellWord,
  titles,
  tool,
} from './client-check.ts';

const path = '/v1/responses';
const session = '00000000-0000-4000-8000-000000000000';
const tools = [
  {
    type: 'function',
    name: tool.name,
    description: tool.description,
    parameters: tool.schema,
    strict: false,
  },
];
const plan = 'submit_text';
const textTools = [
  { type: 'custom', name: plan, description: 'Takes free text.', format: { type: 'text' } },
];
const message = (role: string, text: string) => ({
  type: 'message',
  role,
  content: [{ type: 'input_text', text }],
});

/** The output items, as the client stores and returns them, and the reply at the end. */
function readItems({ events }: Pick<Reply, 'events'>): {
  readonly items: readonly Loose[];
  readonly completed: Loose | undefined;
} {
  const items = events
    .filter(({ type }) => type === 'response.output_item.done')
    .map(({ item }) => recordOf(item));
  const last = events.find(({ type }) => type === 'response.completed');
  return { items, completed: last && recordOf(last['response']) };
}
const toolCall = (items: readonly Loose[]) =>
  items.find(({ type, name }) => type === 'function_call' && name === tool.name);

function missingOfStream(reply: Reply) {
  const { items, completed } = readItems(reply);
  if (reply.events.length === 0) return lacks.noEvents;
  if (completed === undefined) return lacksEnd('response.completed');
  if (items.length === 0) return lacks.noText;
  return Number(recordOf(completed['usage'])['output_tokens']) > 0 ? undefined : lacks.noUsage;
}

function hasText(items: readonly Loose[]): boolean {
  return items.some(
    ({ type, content }) =>
      type === 'message' &&
      listOf(content).some(({ text }) => typeof text === 'string' && text !== ''),
  );
}

function checks(model: string): readonly ClientCheck[] {
  const base = {
    model,
    stream: true,
    store: false,
    tool_choice: 'auto',
    parallel_tool_calls: true,
    reasoning: { summary: 'auto' },
    include: ['reasoning.encrypted_content'],
    prompt_cache_key: session,
  };
  const start = (text: string) => [message('developer', prompts.system), message('user', text)];
  const ask = (text: string, more: object = {}) => ({
    path,
    body: { ...base, tools: [], input: start(text), ...more },
  });
  return [
    {
      id: 'models',
      title: titles.models,
      optional: true,
      request: () => ({ path: '/v1/models?client_version=0.169.0' }),
      missing: ({ json }) =>
        listOf(json['models']).some(({ slug }) => slug === model) ? undefined : lacks.notListed,
      mend: mends.models,
    },
    {
      id: 'stream',
      title: titles.stream,
      request: () => ask(prompts.word),
      missing: (reply) =>
        missingOfStream(reply) ?? (hasText(readItems(reply).items) ? undefined : lacks.noText),
      mend: mends.stream,
    },
    {
      id: 'tool',
      title: titles.tool,
      request: () => ask(prompts.tool, { tools }),
      missing: (reply) => {
        const call = toolCall(readItems(reply).items);
        if (call === undefined) return missingOfStream(reply) ?? lacks.noCall;
        return (
          missingOfStream(reply) ??
          (isToolInput(call['arguments']) ? undefined : lacks.badArguments)
        );
      },
      mend: mends.tool,
    },
    {
      id: 'result',
      title: titles.result,
      request: (earlier) => {
        const { items } = readItems(earlier.get('tool') ?? { events: [] });
        const call = toolCall(items);
        if (call === undefined) return undefined;
        const result = {
          type: 'function_call_output',
          call_id: call['call_id'],
          output: tool.result,
        };
        return {
          path,
          body: { ...base, tools, input: [...start(prompts.tool), ...items, result] },
        };
      },
      missing: missingOfStream,
      mend: mends.result,
    },
    {
      id: 'custom',
      title: { en: 'Tool that takes free text', zh: '自由文本工具' },
      optional: true,
      request: () => ask(`Call the tool ${plan} with the text: hello`, { tools: textTools }),
      missing: (reply) => {
        const call = readItems(reply).items.find(
          ({ type, name }) => type === 'custom_tool_call' && name === plan,
        );
        if (call === undefined) return missingOfStream(reply) ?? lacks.noCall;
        return typeof call['input'] === 'string' ? undefined : lacks.badArguments;
      },
      mend: {
        en: 'The model does not call such tools. The client then edits files by shell commands instead of `apply_patch`',
        zh: '该模型不会调用此类工具。客户端会改用 shell 命令而非 `apply_patch` 编辑文件',
      },
    },
    {
      id: 'socket',
      title: { en: 'WebSocket', zh: 'WebSocket' },
      optional: true,
      // 426 makes the client use requests.
      accepts: [101, 426],
      request: () => ({ path, upgrade: true }),
      missing: () => undefined,
      mend: {
        en: 'A proxy before the gateway does not pass WebSockets on. Keep `supports_websockets = false`',
        zh: '网关前的代理不转发 WebSocket。请保持 `supports_websockets = false`',
      },
    },
  ];
}

export const codex: AgentClient = {
  name: 'Codex',
  headers: (key) => ({
    ...bearer(key),
    originator: 'codex_exec',
    'user-agent': 'codex_exec/0.169.0',
    'session-id': session,
    'thread-id': session,
  }),
  settings: ({ site, model, key }) => [
    {
      file: '~/.codex/config.toml',
      text: [
        `model = ${JSON.stringify(model)}`,
        'model_provider = "turnpike"',
        '',
        '[model_providers.turnpike]',
        'name = "Turnpike"',
        `base_url = ${JSON.stringify(`${site}/v1`)}`,
        'wire_api = "responses"',
        'env_key = "TURNPIKE_API_KEY"',
        'supports_websockets = false',
        `model_catalog_url = ${JSON.stringify(`${site}/v1/models`)}`,
        '',
        '[features]',
        'api_key_model_discovery = true',
      ].join('\n'),
    },
    { text: [`export TURNPIKE_API_KEY=${shellWord(key)}`, 'codex'].join('\n') },
  ],
  checks,
};
