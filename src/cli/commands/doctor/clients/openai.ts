/** OpenAI's libraries and what is built on them: chat completions. */
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

const path = '/v1/chat/completions';
const tools = [
  {
    type: 'function',
    function: { name: tool.name, description: tool.description, parameters: tool.schema },
  },
];
const stream = { stream: true, stream_options: { include_usage: true } };

interface StreamedMessage {
  readonly text: string;
  readonly calls: readonly { id: string; name: string; arguments: string }[];
  readonly finished: boolean;
  readonly usage: Loose;
}

function readMessage({ events }: Pick<Reply, 'events'>): StreamedMessage {
  const calls = new Map<unknown, { id: string; name: string; arguments: string }>();
  const choices = events.flatMap((event) => listOf(event['choices']));
  const deltas = choices.map(({ delta }) => recordOf(delta));
  for (const piece of deltas.flatMap((delta) => listOf(delta['tool_calls']))) {
    const call = calls.get(piece['index']) ?? { id: '', name: '', arguments: '' };
    calls.set(piece['index'], call);
    const { name = '', arguments: json = '' } = recordOf(piece['function']);
    if (typeof piece['id'] === 'string') call.id = piece['id'];
    call.name += String(name);
    call.arguments += String(json);
  }
  return {
    text: deltas.map(({ content }) => (typeof content === 'string' ? content : '')).join(''),
    calls: [...calls.values()],
    finished: choices.some(({ finish_reason }) => typeof finish_reason === 'string'),
    usage: recordOf(
      events.findLast(({ usage }) => usage !== undefined && usage !== null)?.['usage'],
    ),
  };
}
const toolCall = ({ calls }: StreamedMessage) => calls.find(({ name }) => name === tool.name);

function missingOfStream(reply: Reply) {
  const { finished, usage } = readMessage(reply);
  if (reply.events.length === 0) return lacks.noEvents;
  if (!finished || !reply.text.trimEnd().endsWith('data: [DONE]'))
    return lacksEnd('finish_reason, [DONE]');
  return Number(usage['completion_tokens']) > 0 ? undefined : lacks.noUsage;
}

function checks(model: string): readonly ClientCheck[] {
  const start = (content: string) => [
    { role: 'system', content: prompts.system },
    { role: 'user', content },
  ];
  const ask = (content: string, more: object = {}) => ({
    path,
    body: { model, messages: start(content), ...more },
  });
  return [
    {
      id: 'models',
      title: titles.models,
      optional: true,
      request: () => ({ path: '/v1/models' }),
      missing: ({ json }) =>
        listOf(json['data']).some(({ id }) => id === model) ? undefined : lacks.notListed,
      mend: mends.models,
    },
    {
      id: 'whole',
      title: titles.whole,
      request: () => ask(prompts.word),
      missing: ({ json }) => {
        const [first] = listOf(json['choices']);
        if (!recordOf(first?.['message'])['content']) return lacks.noText;
        return Number(recordOf(json['usage'])['completion_tokens']) > 0 ? undefined : lacks.noUsage;
      },
      mend: mends.whole,
    },
    {
      id: 'stream',
      title: titles.stream,
      request: () => ask(prompts.word, stream),
      missing: (reply) =>
        missingOfStream(reply) ?? (readMessage(reply).text === '' ? lacks.noText : undefined),
      mend: mends.stream,
    },
    {
      id: 'tool',
      title: titles.tool,
      request: () => ask(prompts.tool, { ...stream, tools }),
      missing: (reply) => {
        const call = toolCall(readMessage(reply));
        if (call === undefined) return missingOfStream(reply) ?? lacks.noCall;
        return (
          missingOfStream(reply) ?? (isToolInput(call.arguments) ? undefined : lacks.badArguments)
        );
      },
      mend: mends.tool,
    },
    {
      id: 'result',
      title: titles.result,
      request: (earlier) => {
        const { text, calls } = readMessage(earlier.get('tool') ?? { events: [] });
        if (!calls.some(({ name }) => name === tool.name)) return undefined;
        const tool_calls = calls.map(({ id, ...called }) => ({
          id,
          type: 'function',
          function: called,
        }));
        const results = calls.map(({ id }) => ({
          role: 'tool',
          tool_call_id: id,
          content: tool.result,
        }));
        const messages = [
          ...start(prompts.tool),
          { role: 'assistant', content: text || null, tool_calls },
          ...results,
        ];
        return { path, body: { model, messages, ...stream, tools } };
      },
      missing: missingOfStream,
      mend: mends.result,
    },
  ];
}

export const openai: AgentClient = {
  name: 'OpenAI',
  headers: bearer,
  settings: ({ site, model, key }) => [
    {
      text: [
        `export OPENAI_BASE_URL=${shellWord(`${site}/v1`)}`,
        `export OPENAI_API_KEY=${shellWord(key)}`,
        `export OPENAI_MODEL=${shellWord(model)}`,
      ].join('\n'),
    },
  ],
  checks,
};
