/** Anthropic's messages, whole and streamed (Anthropic API reference, Messages). */
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

export async function replyMessages(exchange: Exchange): Promise<void> {
  const { body, random } = exchange;
  const model = String(body['model'] ?? '');
  const generated = generate(random, model, promptText(body));
  const message = { id: makeId(random, 'msg_'), type: 'message', role: 'assistant', model };
  await waitForFirstByte(exchange);
  if (body['stream'] === true) return streamMessages(exchange, message, generated);
  await waitForWords(exchange, generated.text.split(' ').length);
  sendJson(exchange.response, 200, {
    ...message,
    content: [{ type: 'text', text: generated.text }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: usageOf(generated, generated.usage.output),
  });
}

async function streamMessages(
  exchange: Exchange,
  message: object,
  generated: Generated,
): Promise<void> {
  const { response, behaviour, random } = exchange;
  const write = beginEvents(exchange);
  const send = (type: string, fields: object): void => write({ type, ...fields }, type);
  const empty = { ...message, content: [], stop_reason: null, stop_sequence: null };
  send('message_start', { message: { ...empty, usage: usageOf(generated, 1) } });
  send('content_block_start', { index: 0, content_block: { type: 'text', text: '' } });
  await streamPieces(exchange, generated.text, (text) =>
    send('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
  );
  if (random.chance(behaviour.cutStreams)) return void response.destroy();
  send('content_block_stop', { index: 0 });
  send('message_delta', {
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: { output_tokens: generated.usage.output },
  });
  send('message_stop', {});
  response.end();
}

/** Anthropic counts tokens from the cache apart from `input_tokens`. */
function usageOf({ usage }: Generated, output: number) {
  return {
    input_tokens: usage.input - usage.cached,
    cache_read_input_tokens: usage.cached,
    cache_creation_input_tokens: 0,
    output_tokens: output,
  };
}
