/** Vercel's AI SDK over OpenAI's two wires. */
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, jsonSchema, type ModelMessage, stepCountIs, streamText, tool } from 'ai';
import { type Client, description, parameters, resultOf } from './client.ts';

/** Vercel's AI SDK runs the loop itself. */
export function vercelClient(wire: 'chat' | 'responses'): Client {
  return async ({ url, key, model, stream, questions, beforeTurn }) => {
    const openai = createOpenAI({ apiKey: key, baseURL: `${url}/v1` });
    const history: ModelMessage[] = [];
    const answers: string[] = [];
    const settings = {
      model: openai[wire](model),
      maxRetries: 0,
      stopWhen: stepCountIs(9),
      prepareStep: () => {
        beforeTurn();
        return {};
      },
      providerOptions: {
        openai: { reasoningEffort: 'high', store: false, forceReasoning: true },
      },
      tools: {
        look: tool({
          description,
          inputSchema: jsonSchema<{ at: string }>(parameters as object),
          execute: async ({ at }) => resultOf(at),
        }),
      },
    };
    for (const content of questions) {
      history.push({ role: 'user', content });
      const given = { ...settings, messages: history };
      if (stream) {
        const result = streamText({
          ...given,
          onError: ({ error }) => {
            throw error;
          },
        });
        answers.push(await result.text);
        history.push(...(await result.response).messages);
      } else {
        const result = await generateText(given);
        answers.push(result.text);
        history.push(...result.response.messages);
      }
    }
    return answers;
  };
}
