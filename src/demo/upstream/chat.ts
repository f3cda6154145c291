/** OpenAI's chat completions, whole and streamed (OpenAI API reference, Chat). */
import { isObject } from '../../core/kernel/json.ts';
import {
  beginEvents,
  type Exchange,
  makeId,
  sendJson,
  streamPieces,
  waitForFirstByte,
  waitForWords,
} from './exchange.ts';
import { type Generated, generate, promptText } from './generate.ts';

export async function replyChat(exchange: Exchange): Promise<void> {
  const { body, random } = exchange;
  const model = String(body['model'] ?? /\/deployments\/([^/]+)\//.exec(exchange.path)?.[1] ?? '');
  const generated = generate(random, model, promptText(body));
  const head = { id: makeId(random, 'chatcmpl-'), created: exchange.now, model };
  await waitForFirstByte(exchange);
  if (body['stream'] === true) return streamChat(exchange, head, generated);
  await waitForWords(exchange, generated.text.split(' ').length);
  sendJson(exchange.response, 200, {
    ...head,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: generated.text,
          ...(generated.thinking === '' ? {} : { reasoning_content: generated.thinking }),
        },
        finish_reason: 'stop',
      },
    ],
    usage: usageOf(generated),
  });
}

async function streamChat(exchange: Exchange, head: object, generated: Generated): Promise<void> {
  const { body, response, behaviour, random } = exchange;
  const write = beginEvents(exchange);
  const send = (delta: object, finish: string | null = null): void =>
    write({
      ...head,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
  send({ role: 'assistant', content: '' });
  if (generated.thinking !== '') {
    await streamPieces(exchange, generated.thinking, (piece) => send({ reasoning_content: piece }));
  }
  await streamPieces(exchange, generated.text, (piece) => send({ content: piece }));
  if (random.chance(behaviour.cutStreams)) return void response.destroy();
  send({}, 'stop');
  const options = body['stream_options'];
  if (isObject(options) && options['include_usage'] === true) {
    write({ ...head, object: 'chat.completion.chunk', choices: [], usage: usageOf(generated) });
  }
  write('[DONE]');
  response.end();
}

function usageOf({ usage }: Generated) {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached },
    completion_tokens_details: { reasoning_tokens: usage.thinking },
  };
}
