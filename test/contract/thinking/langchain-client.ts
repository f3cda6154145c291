/** LangChain over OpenAI's two wires: a loop as its documentation writes it. */
import {
  type AIMessageChunk,
  type BaseMessage,
  HumanMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { type Client, description, parameters, resultOf, untilAnswered } from './client.ts';

export function langChainClient(wire: 'chat' | 'responses'): Client {
  return async (manner) => {
    const { url, key, model, stream } = manner;
    const reasoning = { effort: 'high' } as const;
    // It sends its own `reasoning` only for names that it knows as those of OpenAI's models.
    const modelKwargs = wire === 'chat' ? { reasoning_effort: 'high' } : { reasoning };
    const chat = new ChatOpenAI({
      apiKey: key,
      configuration: { baseURL: `${url}/v1` },
      model,
      maxRetries: 0,
      useResponsesApi: wire === 'responses',
      reasoning,
      modelKwargs,
    }).bindTools([{ type: 'function', function: { name: 'look', description, parameters } }]);
    const messages: BaseMessage[] = [];
    return untilAnswered(
      manner,
      (content) => messages.push(new HumanMessage(content)),
      async () => {
        let answer: AIMessageChunk | undefined;
        if (stream)
          for await (const piece of await chat.stream(messages))
            answer = answer === undefined ? piece : answer.concat(piece);
        else answer = await chat.invoke(messages);
        if (answer === undefined) throw new Error('nothing came');
        messages.push(answer);
        const calls = answer.tool_calls ?? [];
        for (const { id = '', args } of calls)
          messages.push(new ToolMessage({ tool_call_id: id, content: resultOf(args['at']) }));
        return calls.length > 0 ? undefined : answer.text;
      },
    );
  };
}
