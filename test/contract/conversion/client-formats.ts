/** Callers' wires, each spoken by its official SDK; Cohere's is in `cohere-client.ts`. */
import Anthropic from '@anthropic-ai/sdk';
import { type Content, type GenerateContentResponse, GoogleGenAI, type Part } from '@google/genai';
import OpenAI from 'openai';
import type { ResponseInput } from 'openai/resources/responses/responses';
import {
  earlierCalls,
  type Got,
  pixel,
  results,
  type Scenario,
  weatherSchema,
} from './scenarios.ts';

export interface Door {
  readonly url: string;
  readonly key: string;
}

export interface ClientFormat {
  readonly name: 'chat' | 'messages' | 'Gemini' | 'Responses' | 'Cohere';
  /** Sends the scenario's request; rejects with the SDK's own error. */
  readonly ask: (door: Door, model: string, scenario: Scenario, stream: boolean) => Promise<Got>;
}

const parseJson = (text: string): unknown => JSON.parse(text);

const chat: ClientFormat = {
  name: 'chat',
  ask: async ({ url, key }, model, { name }, stream) => {
    const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 });
    const question: OpenAI.ChatCompletionMessageParam =
      name === 'image'
        ? {
            role: 'user',
            content: [
              { type: 'text', text: 'Hi' },
              { type: 'image_url', image_url: { url: `data:image/png;base64,${pixel}` } },
            ],
          }
        : { role: 'user', content: 'Hi' };
    const history: OpenAI.ChatCompletionMessageParam[] = [
      {
        role: 'assistant',
        content: null,
        tool_calls: earlierCalls.map(({ id, name: tool, args }) => ({
          id,
          type: 'function' as const,
          function: { name: tool, arguments: JSON.stringify(args) },
        })),
      },
      ...earlierCalls.map(({ id }, index) => ({
        role: 'tool' as const,
        tool_call_id: id,
        content: results[index] ?? '',
      })),
    ];
    const request = {
      model,
      max_completion_tokens: 8000,
      messages: [
        { role: 'system' as const, content: 'Be brief.' },
        question,
        ...(name === 'tool results' ? history : []),
      ],
      ...(name.includes('tool')
        ? {
            tools: [
              {
                type: 'function' as const,
                function: {
                  name: 'weather',
                  description: 'The weather',
                  parameters: weatherSchema,
                },
              },
            ],
          }
        : {}),
      ...(name === 'reasoning' ? { reasoning_effort: 'high' as const } : {}),
      ...(name === 'structured output'
        ? {
            response_format: {
              type: 'json_schema' as const,
              json_schema: { name: 'place', schema: weatherSchema, strict: true },
            },
          }
        : {}),
    };
    let reasoning = '';
    let reply: OpenAI.ChatCompletion;
    if (stream) {
      const runner = client.chat.completions.stream({
        ...request,
        stream_options: { include_usage: true },
      });
      runner.on('chunk', (chunk) => {
        const delta = chunk.choices[0]?.delta as { reasoning_content?: string } | undefined;
        reasoning += delta?.reasoning_content ?? '';
      });
      reply = await runner.finalChatCompletion();
    } else {
      reply = await client.chat.completions.create(request);
      reasoning =
        (reply.choices[0]?.message as { reasoning_content?: string } | undefined)
          ?.reasoning_content ?? '';
    }
    const [choice] = reply.choices;
    return {
      text: choice?.message.content ?? '',
      reasoning,
      calls: (choice?.message.tool_calls ?? []).flatMap((call) =>
        call.type === 'function'
          ? [{ name: call.function.name, args: parseJson(call.function.arguments) }]
          : [],
      ),
      finish: choice?.finish_reason ?? '',
      usage: {
        input: reply.usage?.prompt_tokens ?? 0,
        output: reply.usage?.completion_tokens ?? 0,
      },
    };
  },
};

const stopReasons: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  tool_use: 'tool_calls',
  max_tokens: 'length',
};

const messages: ClientFormat = {
  name: 'messages',
  ask: async ({ url, key }, model, { name }, stream) => {
    const client = new Anthropic({ apiKey: key, baseURL: url, maxRetries: 0 });
    const image = {
      type: 'image' as const,
      source: { type: 'base64' as const, media_type: 'image/png' as const, data: pixel },
    };
    const history: Anthropic.MessageParam[] = [
      {
        role: 'assistant',
        content: earlierCalls.map(({ id, name: tool, args }) => ({
          type: 'tool_use' as const,
          id,
          name: tool,
          input: args,
        })),
      },
      {
        role: 'user',
        content: earlierCalls.map(({ id }, index) => ({
          type: 'tool_result' as const,
          tool_use_id: id,
          content: results[index] ?? '',
        })),
      },
    ];
    const request: Anthropic.MessageCreateParamsNonStreaming = {
      model,
      max_tokens: 21_000,
      system: 'Be brief.',
      messages: [
        { role: 'user', content: name === 'image' ? [{ type: 'text', text: 'Hi' }, image] : 'Hi' },
        ...(name === 'tool results' ? history : []),
      ],
      ...(name.includes('tool')
        ? {
            tools: [
              {
                name: 'weather',
                description: 'The weather',
                input_schema: { ...weatherSchema, required: [...weatherSchema.required] },
              },
            ],
          }
        : {}),
      ...(name === 'reasoning' ? { thinking: { type: 'enabled', budget_tokens: 20_000 } } : {}),
      ...(name === 'structured output'
        ? { output_config: { format: { type: 'json_schema', schema: { ...weatherSchema } } } }
        : {}),
    };
    const reply = stream
      ? await client.messages.stream(request).finalMessage()
      : await client.messages.create(request);
    return {
      text: reply.content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
      reasoning: reply.content
        .map((block) => (block.type === 'thinking' ? block.thinking : ''))
        .join(''),
      calls: reply.content.flatMap((block) =>
        block.type === 'tool_use' ? [{ name: block.name, args: block.input }] : [],
      ),
      finish: stopReasons[reply.stop_reason ?? ''] ?? String(reply.stop_reason),
      usage: { input: reply.usage.input_tokens, output: reply.usage.output_tokens },
    };
  },
};

const gemini: ClientFormat = {
  name: 'Gemini',
  ask: async ({ url, key }, model, { name }, stream) => {
    const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } });
    const question: Part[] = [
      { text: 'Hi' },
      ...(name === 'image' ? [{ inlineData: { mimeType: 'image/png', data: pixel } }] : []),
    ];
    const history: Content[] = [
      {
        role: 'model',
        parts: earlierCalls.map(({ id, name: tool, args }) => ({
          functionCall: { id, name: tool, args },
        })),
      },
      {
        role: 'user',
        parts: earlierCalls.map(({ id, name: tool }, index) => ({
          functionResponse: { id, name: tool, response: { output: results[index] } },
        })),
      },
    ];
    const request = {
      model,
      contents: [{ role: 'user', parts: question }, ...(name === 'tool results' ? history : [])],
      config: {
        systemInstruction: 'Be brief.',
        maxOutputTokens: 8000,
        ...(name.includes('tool')
          ? {
              tools: [
                {
                  functionDeclarations: [
                    {
                      name: 'weather',
                      description: 'The weather',
                      parametersJsonSchema: weatherSchema,
                    },
                  ],
                },
              ],
            }
          : {}),
        ...(name === 'reasoning'
          ? { thinkingConfig: { includeThoughts: true, thinkingBudget: 20_000 } }
          : {}),
        ...(name === 'structured output'
          ? { responseMimeType: 'application/json', responseJsonSchema: weatherSchema }
          : {}),
      },
    };
    const replies: GenerateContentResponse[] = [];
    if (stream)
      for await (const chunk of await client.models.generateContentStream(request))
        replies.push(chunk);
    else replies.push(await client.models.generateContent(request));
    const parts = replies.flatMap((reply) => reply.candidates?.[0]?.content?.parts ?? []);
    const calls = parts.flatMap((part) =>
      part.functionCall === undefined
        ? []
        : [{ name: part.functionCall.name ?? '', args: part.functionCall.args }],
    );
    const last = replies.at(-1);
    const finish = replies
      .map((reply) => reply.candidates?.[0]?.finishReason)
      .find((reason) => reason !== undefined);
    const usage = last?.usageMetadata;
    return {
      text: parts.map((part) => (part.thought === true ? '' : (part.text ?? ''))).join(''),
      reasoning: parts.map((part) => (part.thought === true ? (part.text ?? '') : '')).join(''),
      calls,
      // Gemini has one finish reason for both.
      finish: finish === 'STOP' ? (calls.length > 0 ? 'tool_calls' : 'stop') : String(finish),
      usage: {
        input: usage?.promptTokenCount ?? 0,
        output: (usage?.candidatesTokenCount ?? 0) + (usage?.thoughtsTokenCount ?? 0),
      },
    };
  },
};

const responses: ClientFormat = {
  name: 'Responses',
  ask: async ({ url, key }, model, { name }, stream) => {
    const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 });
    const history: ResponseInput = [
      ...earlierCalls.map(({ id, name: tool, args }) => ({
        type: 'function_call' as const,
        call_id: id,
        name: tool,
        arguments: JSON.stringify(args),
      })),
      ...earlierCalls.map(({ id }, index) => ({
        type: 'function_call_output' as const,
        call_id: id,
        output: results[index] ?? '',
      })),
    ];
    const request = {
      model,
      max_output_tokens: 8000,
      instructions: 'Be brief.',
      store: false,
      input: [
        {
          role: 'user' as const,
          content: [
            { type: 'input_text' as const, text: 'Hi' },
            ...(name === 'image'
              ? [
                  {
                    type: 'input_image' as const,
                    image_url: `data:image/png;base64,${pixel}`,
                    detail: 'auto' as const,
                  },
                ]
              : []),
          ],
        },
        ...(name === 'tool results' ? history : []),
      ],
      ...(name.includes('tool')
        ? {
            tools: [
              {
                type: 'function' as const,
                name: 'weather',
                description: 'The weather',
                parameters: { ...weatherSchema },
                strict: true,
              },
            ],
          }
        : {}),
      ...(name === 'reasoning'
        ? { reasoning: { effort: 'high' as const, summary: 'auto' as const } }
        : {}),
      ...(name === 'structured output'
        ? {
            text: {
              format: {
                type: 'json_schema' as const,
                name: 'place',
                schema: { ...weatherSchema },
                strict: true,
              },
            },
          }
        : {}),
    };
    const reply = stream
      ? await client.responses.stream(request).finalResponse()
      : await client.responses.create(request);
    const calls = reply.output.flatMap((item) =>
      item.type === 'function_call' ? [{ name: item.name, args: parseJson(item.arguments) }] : [],
    );
    return {
      text: reply.output_text,
      reasoning: reply.output
        .flatMap((item) => (item.type === 'reasoning' ? item.summary.map((part) => part.text) : []))
        .join('\n\n'),
      calls,
      finish:
        reply.status === 'completed'
          ? calls.length > 0
            ? 'tool_calls'
            : 'stop'
          : String(reply.status),
      usage: { input: reply.usage?.input_tokens ?? 0, output: reply.usage?.output_tokens ?? 0 },
    };
  },
};

export const clientFormats: readonly ClientFormat[] = [chat, messages, gemini, responses];
