/** OpenAI's Agents SDK over its two wires: it runs the loop itself. */
import { Agent, type AgentInputItem, Runner, tool } from '@openai/agents-core';
import { OpenAIChatCompletionsModel, OpenAIResponsesModel } from '@openai/agents-openai';
import OpenAI from 'openai';
import { z } from 'zod';
import { type Client, description, resultOf } from './client.ts';

const look = tool({
  name: 'look',
  description,
  parameters: z.object({ at: z.string() }),
  execute: ({ at }) => resultOf(at),
});

export function agentsClient(wire: 'chat' | 'responses'): Client {
  return async ({ url, key, model, stream, questions, beforeTurn }) => {
    const openai = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 });
    const Model = wire === 'chat' ? OpenAIChatCompletionsModel : OpenAIResponsesModel;
    const agent = new Agent({
      name: 'watcher',
      instructions: 'Look first.',
      tools: [look],
      model: new Model(openai, model),
      modelSettings: { reasoning: { effort: 'high' } },
    });
    const runner = new Runner({
      tracingDisabled: true,
      callModelInputFilter: ({ modelData }) => {
        beforeTurn();
        return modelData;
      },
    });
    let history: AgentInputItem[] = [];
    const answers: string[] = [];
    for (const content of questions) {
      history.push({ role: 'user', content });
      if (stream) {
        const result = await runner.run(agent, history, { stream: true });
        await result.completed;
        answers.push(String(result.finalOutput));
        history = result.history;
      } else {
        const result = await runner.run(agent, history);
        answers.push(String(result.finalOutput));
        history = result.history;
      }
    }
    return answers;
  };
}
