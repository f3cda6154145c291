/**
 * Client libraries, each over every wire format that it speaks. They are installed at the time of
 * the test.
 */
import { countOf, recordOf, textOf } from '../../../src/core/canonical/kit/read-json.ts';
import type { Agent, Form } from '../agent.ts';

const packages = {
  '@ai-sdk/anthropic': '4.0.105',
  '@ai-sdk/google': '4.0.121',
  '@ai-sdk/openai': '4.0.118',
  '@ai-sdk/openai-compatible': '3.0.92',
  '@anthropic-ai/sdk': '1.11.0',
  '@google/genai': '3.1.0',
  '@langchain/anthropic': '1.5.11',
  '@langchain/core': '1.2.13',
  '@langchain/google-genai': '2.3.2',
  '@langchain/openai': '1.6.0',
  '@openai/agents': '0.20.0',
  ai: '7.0.173',
  'cohere-ai': '8.1.0',
  openai: '7.55.0',
  zod: '4.6.7',
};

const pythonPackages = { litellm: '1.83.0', 'openai-agents': '0.24.0' };
const pythonDrivers: Readonly<Record<string, string>> = {
  litellm: 'litellm-client.py',
  'openai-agents-python': 'openai-agents-python.py',
};

/**
 * Both ways to reply, and both ways in which the turns of a conversation may reach different
 * accounts.
 */
const forms: readonly Form[] = [
  { streamed: true, channels: 'two' },
  { streamed: false, channels: 'two keys' },
];

const modelOf = {
  chat: 'gpt-5.4',
  responses: 'gpt-5.4',
  messages: 'claude-opus-5-5',
  gemini: 'gemini-3-pro-preview',
  cohere: 'command-a-03-2025',
};
type ClientWire = keyof typeof modelOf;

/**
 * LangChain takes the prompt from the first event of a stream of messages, and leaves Gemini's
 * thinking out of the output.
 */
const misreports: Readonly<Record<string, Agent['misreports']>> = {
  'langchain/messages': (streamed) => (streamed ? ['prompt', 'cached', 'output'] : []),
  'langchain/gemini': (streamed) => (streamed ? ['cached', 'output'] : ['output']),
};

function driverOf(library: string): Agent['driver'] {
  const python = pythonDrivers[library];
  return python === undefined
    ? { file: `${library}.mjs`, packages }
    : { file: python, packages: pythonPackages };
}

/** `variant`: the driver's own name of the wire. */
function client(library: string, wire: ClientWire, variant: string = wire): Agent {
  return {
    name: `${library}/${variant}`,
    package: library,
    version: '',
    driver: driverOf(library),
    wire,
    forms,
    models: [modelOf[wire]],
    refers: variant === 'stored-responses',
    misreports: misreports[`${library}/${variant}`],
    files: () => ({}),
    environment: ({ url, key, model, streamed }) => ({
      CLIENT_URL: url,
      CLIENT_KEY: key,
      CLIENT_MODEL: model,
      CLIENT_WIRE: variant,
      CLIENT_STREAM: streamed ? 'yes' : 'no',
    }),
    args: (_target, prompt) => [prompt],
    read: (path) => ({ tool: 'print_file', input: { path } }),
    report: (stdout) => {
      const { text, shown } = recordOf(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')) ?? {};
      const count = (name: string) => countOf(recordOf(shown)?.[name]) ?? 0;
      return {
        text: textOf(text) ?? '',
        shown: { prompt: count('prompt'), cached: count('cached'), output: count('output') },
      };
    },
  };
}

const conversations = ['chat', 'responses', 'messages', 'gemini'] as const;

export const clients: readonly Agent[] = [
  ...[...conversations, 'cohere' as const].map((wire) => client('official', wire)),
  ...conversations.map((wire) => client('vercel', wire)),
  client('vercel', 'chat', 'compatible-chat'),
  ...conversations.map((wire) => client('langchain', wire)),
  ...(['chat', 'responses'] as const).map((wire) => client('openai-agents', wire)),
  ...conversations.map((wire) => client('litellm', wire)),
  ...(['chat', 'responses'] as const).map((wire) => client('openai-agents-python', wire)),
  ...['official', 'vercel', 'langchain', 'openai-agents', 'openai-agents-python'].map((library) =>
    client(library, 'responses', 'stored-responses'),
  ),
];
