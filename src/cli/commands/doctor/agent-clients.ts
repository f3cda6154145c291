/** What each client sends, as short requests, and the settings that point it to this site. */
import { isObject } from '../../../core/kernel/json.ts';
import type { Text } from '../../base/text.ts';

export interface Probe {
  readonly title: Text;
  readonly path: string;
  /** Absent: a GET request. */
  readonly body?: object;
  /** Whether the reply is what the client needs: the text, and its JSON where it has one. */
  passes(text: string, json: Record<string, unknown>): boolean;
}

export interface AgentClient {
  readonly name: string;
  /** The headers that the client sends, with its key. */
  headers(key: string): Record<string, string>;
  /** Environment variables and configuration files, as they are written. */
  settings(site: string, model: string): readonly string[];
  probes(model: string): readonly Probe[];
}

export const clientNames = ['claude-code', 'codex', 'gemini-cli', 'openai'] as const;

const list = (value: unknown): readonly Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isObject) : []);
const titles = {
  models: { en: 'List of models', zh: '模型列表' },
  whole: { en: 'Whole reply', zh: '完整回复' },
  stream: { en: 'Streamed reply', zh: '流式回复' },
  tool: { en: 'Tool call', zh: '工具调用' },
};
const prompt = 'Reply with the word ok.';
const toolPrompt = 'Report the city Paris with the tool.';
const tool = 'report_city';
const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
/** Enough for models that think before they answer. */
const maxTokens = 1024;

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

const claudeCode: AgentClient = {
  name: 'Claude Code',
  headers: (key) => ({
    ...bearer(key),
    'anthropic-version': '2023-06-01',
    'anthropic-beta': 'claude-code-20250219,interleaved-thinking-2025-05-14',
    'user-agent': 'claude-cli/2.1.329 (external, sdk-cli)',
    'x-app': 'cli',
  }),
  settings: (site, model) => [
    `export ANTHROPIC_BASE_URL=${site}`,
    'export ANTHROPIC_AUTH_TOKEN=sk-…',
    `export ANTHROPIC_MODEL=${model}`,
    'claude',
  ],
  probes(model) {
    const ask = (content: string, more: object = {}) => ({
      ...{ model, max_tokens: maxTokens, messages: [{ role: 'user', content }], ...more },
    });
    const path = '/v1/messages?beta=true';
    const tools = [{ name: tool, description: 'Reports a city', input_schema: schema }];
    return [
      { title: titles.models, path: '/v1/models?limit=1000', passes: (_, { data }) => list(data).some(({ id }) => id === model) },
      { title: titles.whole, path, body: ask(prompt), passes: (_, { type }) => type === 'message' },
      {
        title: titles.stream,
        path,
        body: ask(prompt, { stream: true }),
        passes: (text) => /"type":\s*"message_stop"/.test(text),
      },
      {
        title: titles.tool,
        path,
        body: ask(toolPrompt, { tools, tool_choice: { type: 'tool', name: tool } }),
        passes: (_, { content }) => list(content).some(({ type, name }) => type === 'tool_use' && name === tool),
      },
    ];
  },
};

const codex: AgentClient = {
  name: 'Codex',
  headers: (key) => ({ ...bearer(key), originator: 'codex_exec', 'user-agent': 'codex_exec/0.169.0' }),
  settings: (site, model) => [
    '# ~/.codex/config.toml',
    `model = "${model}"`,
    'model_provider = "turnpike"',
    '[model_providers.turnpike]',
    'name = "Turnpike"',
    `base_url = "${site}/v1"`,
    'wire_api = "responses"',
    'env_key = "TURNPIKE_KEY"',
    '',
    'export TURNPIKE_KEY=sk-…',
    'codex',
  ],
  probes(model) {
    const ask = (text: string, more: object = {}) => ({
      ...{ model, store: false, input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }], ...more },
    });
    const path = '/v1/responses';
    const tools = [{ type: 'function', name: tool, description: 'Reports a city', parameters: schema, strict: false }];
    return [
      {
        title: titles.models,
        path: '/v1/models?client_version=0.169.0',
        passes: (_, { models }) => list(models).some(({ slug }) => slug === model),
      },
      { title: titles.whole, path, body: ask(prompt), passes: (_, { status }) => status === 'completed' },
      {
        title: titles.stream,
        path,
        body: ask(prompt, { stream: true }),
        passes: (text) => /"type":\s*"response\.completed"/.test(text),
      },
      {
        title: titles.tool,
        path,
        body: ask(toolPrompt, { tools, tool_choice: { type: 'function', name: tool } }),
        passes: (_, { output }) => list(output).some(({ type, name }) => type === 'function_call' && name === tool),
      },
    ];
  },
};

const geminiCli: AgentClient = {
  name: 'Gemini CLI',
  headers: (key) => ({
    'x-goog-api-key': key,
    'user-agent': 'GeminiCLI-tui/0.61.0',
    'x-goog-api-client': 'google-genai-sdk/1.30.0',
  }),
  settings: (site, model) => [
    `export GOOGLE_GEMINI_BASE_URL=${site}`,
    'export GEMINI_API_KEY=sk-…',
    '# ~/.gemini/settings.json',
    '{ "security": { "auth": { "selectedType": "gemini-api-key" } } }',
    '',
    `gemini -m ${model}`,
  ],
  probes(model) {
    const ask = (text: string, more: object = {}) => ({ contents: [{ role: 'user', parts: [{ text }] }], ...more });
    const path = `/v1beta/models/${encodeURIComponent(model)}`;
    const tools = [{ functionDeclarations: [{ name: tool, description: 'Reports a city', parametersJsonSchema: schema }] }];
    const partsOf = (candidates: unknown) =>
      list(candidates).flatMap(({ content }) => (isObject(content) ? list(content['parts']) : []));
    return [
      {
        title: titles.models,
        path: '/v1beta/models?pageSize=1000',
        passes: (_, { models }) => list(models).some(({ name }) => name === `models/${model}`),
      },
      {
        title: titles.whole,
        path: `${path}:generateContent`,
        body: ask(prompt),
        passes: (_, { candidates }) => partsOf(candidates).length > 0,
      },
      {
        title: titles.stream,
        path: `${path}:streamGenerateContent?alt=sse`,
        body: ask(prompt),
        passes: (text) => text.startsWith('data: ') && text.includes('"finishReason"'),
      },
      {
        title: titles.tool,
        path: `${path}:generateContent`,
        body: ask(toolPrompt, { tools, toolConfig: { functionCallingConfig: { mode: 'ANY' } } }),
        passes: (_, { candidates }) =>
          partsOf(candidates).some(({ functionCall }) => isObject(functionCall) && functionCall['name'] === tool),
      },
    ];
  },
};

const openai: AgentClient = {
  name: 'OpenAI',
  headers: bearer,
  settings: (site, model) => [`export OPENAI_BASE_URL=${site}/v1`, 'export OPENAI_API_KEY=sk-…', `# model: ${model}`],
  probes(model) {
    const ask = (content: string, more: object = {}) => ({ model, messages: [{ role: 'user', content }], ...more });
    const path = '/v1/chat/completions';
    const tools = [{ type: 'function', function: { name: tool, description: 'Reports a city', parameters: schema } }];
    const messages = (choices: unknown) => list(choices).map(({ message }) => (isObject(message) ? message : {}));
    return [
      { title: titles.models, path: '/v1/models', passes: (_, { data }) => list(data).some(({ id }) => id === model) },
      { title: titles.whole, path, body: ask(prompt), passes: (_, { choices }) => messages(choices).length > 0 },
      {
        title: titles.stream,
        path,
        body: ask(prompt, { stream: true }),
        passes: (text) => text.trimEnd().endsWith('data: [DONE]'),
      },
      {
        title: titles.tool,
        path,
        body: ask(toolPrompt, { tools, tool_choice: { type: 'function', function: { name: tool } } }),
        passes: (_, { choices }) =>
          messages(choices)
            .flatMap((message) => list(message['tool_calls']))
            .some((call) => isObject(call['function']) && call['function']['name'] === tool),
      },
    ];
  },
};

export const agentClients: Readonly<Record<string, AgentClient>> = {
  'claude-code': claudeCode,
  codex,
  'gemini-cli': geminiCli,
  openai,
};
