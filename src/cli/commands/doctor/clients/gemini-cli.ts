/**
 * Gemini CLI: generateContent, streamed as server-sent events. Fields are those of version 0.61.0.
 */
import { parseObject } from '../../../../core/kernel/json.ts';
import {
  type AgentClient,
  type ClientCheck,
  isToolInput,
  type Loose,
  lacks,
  listOf,
  mends,
  prompts,
  type Reply,
  recordOf,
  shellWord,
  titles,
  tool,
} from './client-check.ts';

const tools = [
  {
    functionDeclarations: [
      { name: tool.name, description: tool.description, parametersJsonSchema: tool.schema },
    ],
  },
];
const systemInstruction = { role: 'user', parts: [{ text: prompts.system }] };
const generationConfig = { temperature: 1, topP: 0.95, topK: 64 };
const user = (text: string) => ({ role: 'user', parts: [{ text }] });

const partsOf = (chunk: Loose) =>
  listOf(chunk['candidates']).flatMap(({ content }) => listOf(recordOf(content)['parts']));
const hasText = (parts: readonly Loose[]) =>
  parts.some(({ text, thought }) => thought !== true && typeof text === 'string' && text !== '');
const toolCall = (parts: readonly Loose[]) =>
  parts.find(({ functionCall }) => recordOf(functionCall)['name'] === tool.name);

function missingOfStream({ text, events }: Reply) {
  if (events.length === 0) return lacks.noEvents;
  // The client's library takes nothing but `data: ` lines: a comment or `[DONE]` ends the turn with
  // an error.
  const strange = text.split(/\r?\n/).find((line) => line !== '' && !line.startsWith('data: {'));
  if (strange !== undefined) return strangeLine(strange);
  const candidates = events.flatMap((event) => listOf(event['candidates']));
  if (!candidates.some(({ finishReason }) => typeof finishReason === 'string')) return noFinish;
  const usage = events.findLast(({ usageMetadata }) => usageMetadata !== undefined)?.[
    'usageMetadata'
  ];
  return Number(recordOf(usage)['promptTokenCount']) > 0 ? undefined : lacks.noUsage;
}
const strangeLine = (line: string) => ({
  en: `the stream contains a line that the client does not understand: ${line.slice(0, 40)}`,
  zh: `流中有客户端无法识别的行：${line.slice(0, 40)}`,
});
const noFinish = { en: 'the stream ends without a finishReason', zh: '流结束时没有 finishReason' };

function checks(model: string): readonly ClientCheck[] {
  const path = `/v1beta/models/${encodeURIComponent(model)}`;
  const base = { systemInstruction, generationConfig };
  const stream = (contents: readonly object[], more: object = {}) => ({
    path: `${path}:streamGenerateContent?alt=sse`,
    body: { contents, ...base, ...more },
  });
  return [
    {
      id: 'stream',
      title: titles.stream,
      request: () => stream([user(prompts.word)]),
      missing: (reply) =>
        missingOfStream(reply) ??
        (hasText(reply.events.flatMap(partsOf)) ? undefined : lacks.noText),
      mend: mends.stream,
    },
    {
      id: 'tool',
      title: titles.tool,
      request: () => stream([user(prompts.tool)], { tools }),
      missing: (reply) => {
        const call = toolCall(reply.events.flatMap(partsOf));
        if (call === undefined) return missingOfStream(reply) ?? lacks.noCall;
        const { args } = recordOf(call['functionCall']);
        return missingOfStream(reply) ?? (isToolInput(args) ? undefined : lacks.badArguments);
      },
      mend: mends.tool,
    },
    {
      id: 'result',
      title: titles.result,
      request: (earlier) => {
        // Thoughts are not sent back.
        const parts = (earlier.get('tool')?.events ?? [])
          .flatMap(partsOf)
          .filter(({ thought }) => thought !== true);
        const call = recordOf(toolCall(parts)?.['functionCall']);
        if (call['name'] === undefined) return undefined;
        const functionResponse = {
          ...(call['id'] !== undefined && { id: call['id'] }),
          name: tool.name,
          response: { output: tool.result },
        };
        const turn = [
          user(prompts.tool),
          { role: 'model', parts },
          { role: 'user', parts: [{ functionResponse }] },
        ];
        return stream(turn, { tools });
      },
      missing: missingOfStream,
      mend: mends.result,
    },
    {
      id: 'json',
      title: { en: 'JSON by a schema, in one piece', zh: '按 schema 输出 JSON（非流式）' },
      optional: true,
      request: () => {
        const responseJsonSchema = {
          type: 'OBJECT',
          properties: { city: { type: 'STRING' } },
          required: ['city'],
        };
        const config = {
          ...generationConfig,
          responseMimeType: 'application/json',
          responseJsonSchema,
        };
        const text = `Name the city ${tool.city} as JSON with the member "city".`;
        return {
          path: `${path}:generateContent`,
          body: { contents: [user(text)], systemInstruction, generationConfig: config },
        };
      },
      missing: ({ json }) => {
        const text = partsOf(json).map((part) =>
          part['thought'] === true ? '' : String(part['text'] ?? ''),
        );
        return isToolInput(parseObject(text.join(''))) ? undefined : lacks.noJson;
      },
      mend: {
        en: 'The client chooses its model by such a request when none is named: start it with `-m {model}`',
        zh: '未指定模型时客户端以此类请求选择模型：请用 `-m {model}` 启动',
      },
    },
    {
      id: 'count',
      title: titles.count,
      optional: true,
      request: () => ({ path: `${path}:countTokens`, body: { contents: [user(prompts.word)] } }),
      missing: ({ json }) => (Number(json['totalTokens']) > 0 ? undefined : lacks.noCount),
      mend: mends.count,
    },
  ];
}

export const geminiCli: AgentClient = {
  name: 'Gemini CLI',
  headers: (key) => ({
    'x-goog-api-key': key,
    'user-agent': 'GeminiCLI-tui/0.61.0',
    'x-goog-api-client': 'google-genai-sdk/1.30.0',
  }),
  settings: ({ site, model, key }) => {
    const variables = [
      `GOOGLE_GEMINI_BASE_URL=${shellWord(site)}`,
      `GEMINI_API_KEY=${shellWord(key)}`,
    ];
    return [
      {
        file: '~/.gemini/settings.json',
        text: JSON.stringify({ security: { auth: { selectedType: 'gemini-api-key' } } }, null, 2),
      },
      {
        text: [...variables.map((line) => `export ${line}`), `gemini -m ${shellWord(model)}`].join(
          '\n',
        ),
      },
      { file: '~/.gemini/.env', text: variables.join('\n') },
    ];
  },
  checks,
};
