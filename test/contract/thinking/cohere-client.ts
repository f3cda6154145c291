/** Cohere's own SDK. */
import { CohereClientV2 } from 'cohere-ai';
import {
  type Loose,
  recordOf,
  recordsOf,
  textOf,
} from '../../../src/core/canonical/kit/read-json.ts';
import { atOf, type Client, description, parameters, resultOf, untilAnswered } from './client.ts';

type CohereMessage = Parameters<CohereClientV2['chat']>[0]['messages'][number];

/** What a stream of Cohere's adds up to. */
async function addUpCohere(events: AsyncIterable<unknown>): Promise<Loose> {
  const content: { type: string; text?: string; thinking?: string }[] = [];
  const toolCalls: { function: { arguments: string } }[] = [];
  for await (const event of events) {
    const { type, index = 0, delta } = event as Loose & { index?: number };
    const message = recordOf(recordOf(delta)?.['message']);
    const piece = recordOf(message?.['content']);
    const call = message?.['toolCalls'] as { function: { arguments: string } } | undefined;
    if (type === 'content-start') content[index] = { ...(piece as { type: string }) };
    if (type === 'content-delta') {
      const block = content[index] ?? { type: 'text' };
      if (textOf(piece?.['text']) !== undefined)
        block.text = `${block.text ?? ''}${piece?.['text']}`;
      if (textOf(piece?.['thinking']) !== undefined)
        block.thinking = `${block.thinking ?? ''}${piece?.['thinking']}`;
    }
    if (type === 'tool-call-start' && call !== undefined)
      toolCalls[index] = { ...call, function: { ...call.function } };
    const open = toolCalls[index];
    if (type === 'tool-call-delta' && open !== undefined)
      open.function.arguments += call?.function.arguments ?? '';
  }
  return { role: 'assistant', content: content.filter(Boolean), toolCalls };
}

export const cohere: Client = async (manner) => {
  const { url, key, model, stream, keeps } = manner;
  const sdk = new CohereClientV2({ token: key, environment: url, maxRetries: 0 });
  const turns: CohereMessage[] = [];
  return untilAnswered(
    manner,
    (content) => turns.push({ role: 'user', content }),
    async () => {
      const body = {
        model,
        messages: turns,
        thinking: { type: 'enabled' as const, tokenBudget: 2048 },
        tools: [{ type: 'function' as const, function: { name: 'look', description, parameters } }],
      };
      const message = stream
        ? await addUpCohere(await sdk.chatStream(body))
        : ((await sdk.chat(body)).message as unknown as Loose);
      const calls = recordsOf(message['toolCalls']);
      const content = recordsOf(message['content']);
      const texts = content.filter(({ type }) => type === 'text');
      const said = keeps ? content : texts;
      turns.push({
        role: 'assistant',
        ...(said.length > 0 ? { content: said } : {}),
        ...(calls.length > 0 ? { toolCalls: calls } : {}),
      } as CohereMessage);
      for (const call of calls)
        turns.push({
          role: 'tool',
          toolCallId: textOf(call['id']) ?? '',
          content: resultOf(atOf((call['function'] as { arguments: string }).arguments)),
        });
      return calls.length > 0 ? undefined : texts.map(({ text }) => textOf(text) ?? '').join('');
    },
  );
};
