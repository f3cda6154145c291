import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, isStepCount, jsonSchema, streamText, tool } from 'ai';
import {
  instructions,
  parameters,
  printFile,
  prompt,
  report,
  target,
  toolDescription,
  toolName,
} from './task.mjs';

const { url, key: apiKey, model: name, wire, streamed } = target;
const models = {
  chat: () => createOpenAI({ apiKey, baseURL: `${url}/v1` }).chat(name),
  'compatible-chat': () =>
    createOpenAICompatible({
      name: 'gateway',
      apiKey,
      baseURL: `${url}/v1`,
      includeUsage: true,
    }).chatModel(name),
  responses: () => createOpenAI({ apiKey, baseURL: `${url}/v1` }).responses(name),
  'stored-responses': () => createOpenAI({ apiKey, baseURL: `${url}/v1` }).responses(name),
  messages: () => createAnthropic({ apiKey, baseURL: `${url}/v1` })(name),
  gemini: () => createGoogle({ apiKey, baseURL: `${url}/v1beta` })(name),
};
const request = {
  model: models[wire](),
  instructions,
  prompt,
  tools: {
    [toolName]: tool({
      description: toolDescription,
      inputSchema: jsonSchema(parameters),
      execute: printFile,
    }),
  },
  stopWhen: isStepCount(8),
  maxRetries: 0,
  ...(wire === 'responses'
    ? { providerOptions: { openai: { store: false, include: ['reasoning.encrypted_content'] } } }
    : {}),
};

let failure;
const result = streamed
  ? streamText({
      ...request,
      onError: ({ error }) => {
        failure = error;
      },
    })
  : await generateText(request);
const text = await result.text;
if (failure !== undefined) throw failure;
const steps = await result.steps;
report(
  text,
  steps.map(({ usage }) => ({
    prompt: usage.inputTokens,
    cached: usage.inputTokenDetails?.cacheReadTokens,
    output: usage.outputTokens,
  })),
);
