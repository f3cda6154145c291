/** Cohere's wire, spoken by its official SDK. */
import { CohereClientV2 } from 'cohere-ai';
import type { ClientFormat } from './client-formats.ts';
import { earlierCalls, type Got, pixel, results, weatherSchema } from './scenarios.ts';

const finishReasons: Readonly<Record<string, string>> = {
  COMPLETE: 'stop',
  TOOL_CALL: 'tool_calls',
  MAX_TOKENS: 'length',
};

interface Answer {
  text: string;
  reasoning: string;
  readonly calls: { name: string; args: string }[];
  finish: string;
  usage?: { tokens?: { inputTokens?: number; outputTokens?: number } };
}

type Request = Parameters<CohereClientV2['chat']>[0];
type Message = Request['messages'][number];

async function askWhole(client: CohereClientV2, request: Request): Promise<Answer> {
  const { message, finishReason, usage } = await client.chat(request);
  const content = message.content ?? [];
  return {
    text:
      content.map((block) => (block.type === 'text' ? block.text : '')).join('') +
      (message.toolPlan ?? ''),
    reasoning: content.map((block) => (block.type === 'thinking' ? block.thinking : '')).join(''),
    calls: (message.toolCalls ?? []).map((call) => ({
      name: call.function?.name ?? '',
      args: call.function?.arguments ?? '',
    })),
    finish: finishReason,
    ...(usage === undefined ? {} : { usage }),
  };
}

async function askStreamed(client: CohereClientV2, request: Request): Promise<Answer> {
  const answer: Answer = { text: '', reasoning: '', calls: [], finish: '' };
  for await (const event of await client.chatStream(request)) {
    if (event.type === 'content-delta') {
      answer.text += event.delta?.message?.content?.text ?? '';
      answer.reasoning += event.delta?.message?.content?.thinking ?? '';
    } else if (event.type === 'tool-call-start') {
      answer.calls.push({ name: event.delta?.message?.toolCalls?.function?.name ?? '', args: '' });
    } else if (event.type === 'tool-call-delta') {
      const call = answer.calls.at(-1);
      if (call !== undefined)
        call.args += event.delta?.message?.toolCalls?.function?.arguments ?? '';
    } else if (event.type === 'message-end') {
      answer.finish = event.delta?.finishReason ?? '';
      if (event.delta?.usage !== undefined) answer.usage = event.delta.usage;
    }
  }
  return answer;
}

export const cohere: ClientFormat = {
  name: 'Cohere',
  ask: async ({ url, key }, model, { name }, stream): Promise<Got> => {
    const client = new CohereClientV2({ token: key, environment: url, maxRetries: 0 });
    const image = {
      type: 'image_url' as const,
      imageUrl: { url: `data:image/png;base64,${pixel}` },
    };
    const question: Message = {
      role: 'user',
      content: name === 'image' ? [{ type: 'text', text: 'Hi' }, image] : 'Hi',
    };
    const history: Message[] = [
      {
        role: 'assistant',
        toolCalls: earlierCalls.map(({ id, name: tool, args }) => ({
          id,
          type: 'function' as const,
          function: { name: tool, arguments: JSON.stringify(args) },
        })),
      },
      ...earlierCalls.map(({ id }, index) => ({
        role: 'tool' as const,
        toolCallId: id,
        content: results[index] ?? '',
      })),
    ];
    const tool = {
      type: 'function' as const,
      function: { name: 'weather', description: 'The weather', parameters: { ...weatherSchema } },
    };
    const request: Request = {
      model,
      maxTokens: 21_000,
      messages: [
        { role: 'system', content: 'Be brief.' },
        question,
        ...(name === 'tool results' ? history : []),
      ],
      ...(name.includes('tool') ? { tools: [tool] } : {}),
      ...(name === 'reasoning'
        ? { thinking: { type: 'enabled' as const, tokenBudget: 20_000 } }
        : {}),
      ...(name === 'structured output'
        ? { responseFormat: { type: 'json_object' as const, jsonSchema: { ...weatherSchema } } }
        : {}),
    };
    const { calls, finish, usage, ...texts } = await (stream ? askStreamed : askWhole)(
      client,
      request,
    );
    return {
      ...texts,
      calls: calls.map((call) => ({ name: call.name, args: JSON.parse(call.args) as unknown })),
      finish: finishReasons[finish] ?? finish,
      usage: { input: usage?.tokens?.inputTokens ?? 0, output: usage?.tokens?.outputTokens ?? 0 },
    };
  },
};
