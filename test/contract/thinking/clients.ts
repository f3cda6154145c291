/**
 * Clients by the official SDKs, each of which goes through a conversation: a question, two calls of
 * a tool at once, another one, the answer, and a second question.
 */
import Anthropic from '@anthropic-ai/sdk';
import { type Content, GoogleGenAI, type Part } from '@google/genai';
import OpenAI from 'openai';
import { recordOf } from '../../../src/core/canonical/kit/read-json.ts';
import { agentsClient } from './agents-client.ts';
import { chat, liteLlm } from './chat-clients.ts';
import { atOf, type Client, description, parameters, resultOf, untilAnswered } from './client.ts';
import { cohere } from './cohere-client.ts';
import { langChainClient } from './langchain-client.ts';
import { vercelClient } from './vercel-client.ts';

function responsesClient(byId: boolean): Client {
  return async (manner) => {
    const { url, key, model, stream, keeps } = manner;
    const openai = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 });
    let input: OpenAI.Responses.ResponseInput = [];
    let previous: string | undefined;
    return untilAnswered(
      manner,
      (content) => input.push({ role: 'user', content }),
      async () => {
        const body = {
          model,
          input,
          reasoning: { effort: 'high' as const },
          ...(byId ? { previous_response_id: previous } : { store: false }),
          ...(keeps ? { include: ['reasoning.encrypted_content' as const] } : {}),
          tools: [
            { type: 'function' as const, name: 'look', description, parameters, strict: false },
          ],
        };
        const response = stream
          ? await openai.responses.stream(body).finalResponse()
          : await openai.responses.create(body);
        previous = response.id;
        if (byId) input = [];
        else
          input.push(
            ...(response.output.filter(
              ({ type }) => keeps || type !== 'reasoning',
            ) as OpenAI.Responses.ResponseInput),
          );
        const calls = response.output.flatMap((item) =>
          item.type === 'function_call' ? [item] : [],
        );
        for (const call of calls)
          input.push({
            type: 'function_call_output',
            call_id: call.call_id,
            output: resultOf(atOf(call.arguments)),
          });
        return calls.length > 0 ? undefined : response.output_text;
      },
    );
  };
}

const messages: Client = async (manner) => {
  const { url, key, model, stream, keeps, adaptive } = manner;
  const anthropic = new Anthropic({ apiKey: key, baseURL: url, maxRetries: 0 });
  const turns: Anthropic.MessageParam[] = [];
  return untilAnswered(
    manner,
    (content) => turns.push({ role: 'user', content }),
    async () => {
      const thinking = adaptive
        ? { type: 'adaptive' as const }
        : { type: 'enabled' as const, budget_tokens: 2048 };
      const body = {
        model,
        max_tokens: 4096,
        messages: turns,
        thinking,
        tools: [{ name: 'look', description, input_schema: parameters as { type: 'object' } }],
      };
      const message = stream
        ? await anthropic.messages.stream(body).finalMessage()
        : await anthropic.messages.create(body);
      const plain = message.content.filter(({ type }) => type === 'text' || type === 'tool_use');
      turns.push({ role: 'assistant', content: keeps ? message.content : plain });
      const calls = message.content.filter((block) => block.type === 'tool_use');
      if (calls.length > 0)
        turns.push({
          role: 'user',
          content: calls.map(({ id, input }) => ({
            type: 'tool_result',
            tool_use_id: id,
            content: resultOf(recordOf(input)?.['at']),
          })),
        });
      const texts = message.content.map((block) => (block.type === 'text' ? block.text : ''));
      return calls.length > 0 ? undefined : texts.join('');
    },
  );
};

const gemini: Client = async (manner) => {
  const { url, key, model, stream, keeps } = manner;
  const google = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } });
  const contents: Content[] = [];
  const config = {
    thinkingConfig: { includeThoughts: true, thinkingBudget: 2048 },
    tools: [
      { functionDeclarations: [{ name: 'look', description, parametersJsonSchema: parameters }] },
    ],
  };
  return untilAnswered(
    manner,
    (text) => contents.push({ role: 'user', parts: [{ text }] }),
    async () => {
      const given = { model, contents, config };
      const chunks: Content[] = [];
      const take = (content: Content | undefined) => content !== undefined && chunks.push(content);
      if (stream)
        for await (const piece of await google.models.generateContentStream(given))
          take(piece.candidates?.[0]?.content);
      else take((await google.models.generateContent(given)).candidates?.[0]?.content);
      const parts = chunks.flatMap((content) => content.parts ?? []);
      const calls = parts.flatMap((part) => part.functionCall ?? []);
      const texts = parts.filter((part) => part.text !== undefined && part.thought !== true);
      // As Google's own chats do it: each chunk stays a content of its own.
      if (keeps) contents.push(...chunks);
      else
        contents.push({
          role: 'model',
          parts: [
            ...texts.map(({ text }): Part => ({ text })),
            ...calls.map((functionCall): Part => ({ functionCall })),
          ],
        });
      if (calls.length > 0)
        contents.push({
          role: 'user',
          parts: calls.map(({ id, name, args }) => ({
            functionResponse: { id, name, response: { output: resultOf(args?.['at']) } },
          })),
        });
      return calls.length > 0 ? undefined : texts.map(({ text }) => text ?? '').join('');
    },
  );
};

export const clients = {
  chat,
  responses: responsesClient(false),
  'responses by id': responsesClient(true),
  messages,
  gemini,
  cohere,
  'LiteLLM, chat': liteLlm,
  'AI SDK, chat': vercelClient('chat'),
  'AI SDK, responses': vercelClient('responses'),
  'LangChain, chat': langChainClient('chat'),
  'LangChain, responses': langChainClient('responses'),
  'Agents, chat': agentsClient('chat'),
  'Agents, responses': agentsClient('responses'),
} as const satisfies Record<string, Client>;

export type ClientName = keyof typeof clients;

/** Those that have no choice of what they return. */
export const ownWay: readonly ClientName[] = [
  'responses by id',
  'LiteLLM, chat',
  'AI SDK, chat',
  'AI SDK, responses',
  'LangChain, chat',
  'LangChain, responses',
  'Agents, chat',
  'Agents, responses',
];
