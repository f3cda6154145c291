import { Agent, OpenAIProvider, Runner, setTracingDisabled, tool } from '@openai/agents';
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

setTracingDisabled(true);
const { url, key: apiKey, model, wire, streamed } = target;
const modelProvider = new OpenAIProvider({
  apiKey,
  baseURL: `${url}/v1`,
  useResponses: wire !== 'chat',
});
const stateless = { store: false, providerData: { include: ['reasoning.encrypted_content'] } };
const agent = new Agent({
  name: 'Reader',
  instructions,
  model,
  modelSettings: wire === 'responses' ? stateless : {},
  tools: [
    tool({
      name: toolName,
      description: toolDescription,
      parameters,
      strict: true,
      execute: printFile,
    }),
  ],
});
const result = await new Runner({ modelProvider }).run(agent, prompt, { stream: streamed });
if (streamed) {
  for await (const _ of result);
  await result.completed;
}
report(
  result.finalOutput,
  result.rawResponses.map(({ usage }) => ({
    prompt: usage.inputTokens,
    output: usage.outputTokens,
    cached: usage.inputTokensDetails.reduce(
      (all, details) => all + (details.cached_tokens ?? 0),
      0,
    ),
  })),
);
