/** The vendors' own libraries, with the helpers that put a stream together. */
import { Anthropic } from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { CohereClientV2 } from 'cohere-ai';
import { OpenAI } from 'openai';
import {
  converse,
  instructions,
  parameters,
  prompt,
  target,
  toolDescription,
  toolName,
} from './task.mjs';

const { url, key: apiKey, model, wire, streamed } = target;
const declared = { name: toolName, description: toolDescription, parameters };
const system = { role: 'system', content: instructions };
const user = { role: 'user', content: prompt };

function chat() {
  const client = new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 0 });
  const messages = [system, user];
  const request = { model, messages, tools: [{ type: 'function', function: declared }] };
  return async (results) => {
    for (const { id, output } of results)
      messages.push({ role: 'tool', tool_call_id: id, content: output });
    const reply = await (streamed
      ? client.chat.completions
          .stream({ ...request, stream_options: { include_usage: true } })
          .finalChatCompletion()
      : client.chat.completions.create(request));
    const { message } = reply.choices[0];
    messages.push(message);
    const { prompt_tokens, completion_tokens, prompt_tokens_details: details } = reply.usage;
    return {
      text: message.content,
      calls: (message.tool_calls ?? []).map((call) => ({
        id: call.id,
        input: JSON.parse(call.function.arguments),
      })),
      tokens: { prompt: prompt_tokens, cached: details?.cached_tokens, output: completion_tokens },
    };
  };
}

function responses() {
  const client = new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 0 });
  const stored = wire === 'stored-responses';
  const include = ['reasoning.encrypted_content'];
  const request = { model, instructions, tools: [{ type: 'function', ...declared, strict: true }] };
  let input = [user];
  let previous;
  return async (results) => {
    const outputs = results.map(({ id, output }) => ({
      type: 'function_call_output',
      call_id: id,
      output,
    }));
    if (results.length > 0) input = stored ? outputs : [...input, ...outputs];
    const turn = {
      ...request,
      input,
      ...(stored ? { previous_response_id: previous } : { store: false, include }),
    };
    const reply = await (streamed
      ? client.responses.stream(turn).finalResponse()
      : client.responses.create(turn));
    previous = reply.id;
    // Helpers add parsed forms that are no fields of the API.
    if (!stored)
      input = [...input, ...reply.output.map(({ parsed_arguments: _, ...item }) => item)];
    const { input_tokens, output_tokens, input_tokens_details: details } = reply.usage;
    return {
      text: reply.output_text,
      calls: reply.output
        .filter((item) => item.type === 'function_call')
        .map((call) => ({ id: call.call_id, input: JSON.parse(call.arguments) })),
      tokens: { prompt: input_tokens, cached: details?.cached_tokens, output: output_tokens },
    };
  };
}

function messages() {
  const client = new Anthropic({ apiKey, baseURL: url, maxRetries: 0 });
  const all = [user];
  const tools = [{ name: toolName, description: toolDescription, input_schema: parameters }];
  const request = { model, system: instructions, messages: all, tools, max_tokens: 4000 };
  return async (results) => {
    const content = results.map(({ id, output }) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: output,
    }));
    if (content.length > 0) all.push({ role: 'user', content });
    const reply = await (streamed
      ? client.messages.stream(request).finalMessage()
      : client.messages.create(request));
    all.push({ role: 'assistant', content: reply.content });
    const { usage } = reply;
    const cached = usage.cache_read_input_tokens ?? 0;
    return {
      text: reply.content.map((block) => block.text ?? '').join(''),
      calls: reply.content
        .filter((block) => block.type === 'tool_use')
        .map(({ id, input }) => ({ id, input })),
      tokens: {
        prompt: usage.input_tokens + cached + (usage.cache_creation_input_tokens ?? 0),
        cached,
        output: usage.output_tokens,
      },
    };
  };
}

function gemini() {
  const client = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url } });
  const contents = [{ role: 'user', parts: [{ text: prompt }] }];
  const tools = [
    {
      functionDeclarations: [
        { name: toolName, description: toolDescription, parametersJsonSchema: parameters },
      ],
    },
  ];
  const request = { model, contents, config: { systemInstruction: instructions, tools } };
  return async (results) => {
    const answers = results.map(({ id, name, output }) => ({
      functionResponse: { id, name, response: { output } },
    }));
    if (answers.length > 0) contents.push({ role: 'user', parts: answers });
    const chunks = [];
    if (streamed)
      for await (const chunk of await client.models.generateContentStream(request))
        chunks.push(chunk);
    else chunks.push(await client.models.generateContent(request));
    const parts = chunks
      .flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? [])
      .filter(({ text }) => text !== '');
    contents.push({ role: 'model', parts });
    const usage = chunks.at(-1).usageMetadata;
    return {
      text: parts.map((part) => (part.thought ? '' : (part.text ?? ''))).join(''),
      calls: parts.flatMap(({ functionCall: call }) =>
        call ? [{ id: call.id, name: call.name, input: call.args }] : [],
      ),
      tokens: {
        prompt: usage.promptTokenCount,
        cached: usage.cachedContentTokenCount,
        output: (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0),
      },
    };
  };
}

/** Puts a stream of Cohere's client together; the library has no helper for it. */
async function collectCohere(stream) {
  const message = { role: 'assistant', content: [], toolCalls: [] };
  let usage;
  for await (const event of stream) {
    const delta = event.delta?.message;
    if (event.type === 'content-start')
      message.content.push({ type: delta.content.type, text: '', thinking: '' });
    else if (event.type === 'content-delta') {
      message.content.at(-1).text += delta.content.text ?? '';
      message.content.at(-1).thinking += delta.content.thinking ?? '';
    } else if (event.type === 'tool-call-start')
      message.toolCalls.push(structuredClone(delta.toolCalls));
    else if (event.type === 'tool-call-delta')
      message.toolCalls.at(-1).function.arguments += delta.toolCalls.function.arguments;
    else if (event.type === 'message-end') usage = event.delta.usage;
  }
  const content = message.content.map(({ type, text, thinking }) =>
    type === 'text' ? { type, text } : { type, thinking },
  );
  return { message: { ...message, content }, usage };
}

function cohere() {
  const client = new CohereClientV2({ token: apiKey, environment: url, maxRetries: 0 });
  const all = [system, user];
  const request = { model, messages: all, tools: [{ type: 'function', function: declared }] };
  return async (results) => {
    for (const { id, output } of results)
      all.push({ role: 'tool', toolCallId: id, content: output });
    const { message, usage } = streamed
      ? await collectCohere(await client.chatStream(request))
      : await client.chat(request);
    const { toolCalls = [], content = [] } = message;
    all.push({
      role: 'assistant',
      toolCalls,
      ...(toolCalls.length > 0 ? { toolPlan: message.toolPlan } : { content }),
    });
    return {
      text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
      calls: toolCalls.map((call) => ({ id: call.id, input: JSON.parse(call.function.arguments) })),
      tokens: {
        prompt: usage.tokens.inputTokens,
        cached: usage.cachedTokens,
        output: usage.tokens.outputTokens,
      },
    };
  };
}

await converse(
  { chat, responses, 'stored-responses': responses, messages, gemini, cohere }[wire](),
);
