import { ChatAnthropic } from '@langchain/anthropic';
import { HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatGoogleGenerativeAI } from '@langchain/google-genai';
import { ChatOpenAI } from '@langchain/openai';
import {
  converse,
  instructions,
  parameters,
  printFile,
  prompt,
  target,
  toolDescription,
  toolName,
} from './task.mjs';

const { url, key: apiKey, model: name, wire, streamed } = target;
const common = { apiKey, model: name, maxRetries: 0, streaming: streamed };
const openai = (more) =>
  new ChatOpenAI({ ...common, ...more, configuration: { baseURL: `${url}/v1` } });
const models = {
  chat: () => openai({ useResponsesApi: false }),
  responses: () => openai({ useResponsesApi: true, zdrEnabled: true }),
  'stored-responses': () => openai({ useResponsesApi: true }),
  messages: () => new ChatAnthropic({ ...common, anthropicApiUrl: url }),
  gemini: () => new ChatGoogleGenerativeAI({ ...common, baseUrl: url }),
};
const read = tool(printFile, { name: toolName, description: toolDescription, schema: parameters });
const model = models[wire]().bindTools([read]);
const messages = [new SystemMessage(instructions), new HumanMessage(prompt)];

async function ask() {
  if (!streamed) return model.invoke(messages);
  let whole;
  for await (const chunk of await model.stream(messages))
    whole = whole === undefined ? chunk : whole.concat(chunk);
  return whole;
}

await converse(async (results) => {
  for (const { id, output } of results)
    messages.push(new ToolMessage({ content: output, tool_call_id: id }));
  const answer = await ask();
  messages.push(answer);
  const { input_tokens, output_tokens, input_token_details: details } = answer.usage_metadata ?? {};
  return {
    text: answer.text,
    calls: answer.tool_calls.map(({ id, args }) => ({ id, input: args })),
    tokens: { prompt: input_tokens, cached: details?.cache_read, output: output_tokens },
  };
});
