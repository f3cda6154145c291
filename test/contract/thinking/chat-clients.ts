/** Chats by OpenAI's SDK, which return what they got, only what all servers know, or what LiteLLM returns. */
import OpenAI from 'openai';
import {
  type Loose,
  recordOf,
  recordsOf,
  textOf,
} from '../../../src/core/canonical/kit/read-json.ts';
import {
  atOf,
  type Client,
  description,
  type Manner,
  only,
  parameters,
  resultOf,
  untilAnswered,
} from './client.ts';

/** A chat's deltas as most clients add them up: texts, calls by index, lists appended. */
async function addUp(chunks: AsyncIterable<OpenAI.ChatCompletionChunk>): Promise<Loose> {
  const message: Record<string, unknown> = { role: 'assistant', content: null };
  const calls: { id?: string; function: { arguments: string } }[] = [];
  for await (const { choices } of chunks)
    for (const [name, value] of Object.entries(choices[0]?.delta ?? {})) {
      if (name === 'role' || value === null) continue;
      if (name !== 'tool_calls') {
        const before = message[name];
        if (Array.isArray(value)) message[name] = [...recordsOf(before), ...value];
        else message[name] = typeof value === 'string' ? `${before ?? ''}${value}` : value;
        continue;
      }
      for (const { index, ...piece } of value as (Loose & { index: number })[]) {
        const known = calls[index];
        const target = piece['function'] as { arguments: string };
        if (known === undefined) calls[index] = { ...piece, function: { ...target } };
        else known.function.arguments += target.arguments;
      }
    }
  return calls.length > 0 ? { ...message, tool_calls: calls } : message;
}

function returnedBy({ keeps }: Manner, message: Loose): Loose {
  if (keeps) return message;
  const calls = recordsOf(message['tool_calls']);
  return {
    ...only(message, 'role', 'content'),
    ...(calls.length > 0
      ? { tool_calls: calls.map((call) => only(call, 'id', 'type', 'function')) }
      : {}),
  };
}

/**
 * What LiteLLM returns of an answer (test/fixtures/clients/litellm.json): of what it does not know
 * whole replies keep the fields in a place of their own, streams nothing.
 */
export function returnedByLiteLlm({ stream }: Pick<Manner, 'stream'>, message: Loose): Loose {
  const { content, reasoning_details: details, tool_calls: calls } = message;
  const isGiven = textOf(content) !== undefined;
  return {
    ...(isGiven || stream ? { content: content ?? '' } : {}),
    role: 'assistant',
    ...(recordsOf(calls).length > 0
      ? { tool_calls: recordsOf(calls).map((call) => only(call, 'id', 'type', 'function')) }
      : {}),
    ...only(message, 'reasoning_content'),
    ...(stream || details === undefined
      ? {}
      : { provider_specific_fields: { reasoning_details: details } }),
  };
}

function chatClient(returned: (manner: Manner, message: Loose) => Loose): Client {
  return async (manner) => {
    const { url, key, model, stream } = manner;
    const openai = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 });
    const messages: Loose[] = [];
    return untilAnswered(
      manner,
      (content) => messages.push({ role: 'user', content }),
      async () => {
        const body = {
          model,
          messages,
          reasoning_effort: 'high',
          tools: [{ type: 'function', function: { name: 'look', description, parameters } }],
        } as unknown as OpenAI.ChatCompletionCreateParamsNonStreaming;
        const message = stream
          ? await addUp(await openai.chat.completions.create({ ...body, stream: true }))
          : ((await openai.chat.completions.create(body)).choices[0]?.message as unknown as Loose);
        messages.push(returned(manner, message));
        const calls = recordsOf(message['tool_calls']);
        for (const call of calls) {
          const { arguments: json } = recordOf(call['function']) as { arguments: string };
          const content = resultOf(atOf(json));
          messages.push({ role: 'tool', tool_call_id: call['id'], content });
        }
        return calls.length > 0 ? undefined : String(message['content']);
      },
    );
  };
}

export const chat = chatClient(returnedBy);
export const liteLlm = chatClient(returnedByLiteLlm);
