/** OpenAI's Responses, whole and streamed (OpenAI API reference, Responses). */
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

export async function replyResponse(exchange: Exchange): Promise<void> {
  const { body, random } = exchange;
  const model = String(body['model'] ?? '');
  const generated = generate(random, model, promptText([body['instructions'], body['input']]));
  const head = {
    id: makeId(random, 'resp_'),
    object: 'response',
    created_at: exchange.now,
    model,
    parallel_tool_calls: true,
    tool_choice: 'auto',
    tools: [],
  };
  const item = { id: makeId(random, 'msg_'), type: 'message', role: 'assistant' };
  await waitForFirstByte(exchange);
  if (body['stream'] === true) return streamResponse(exchange, head, item, generated);
  await waitForWords(exchange, generated.text.split(' ').length);
  sendJson(exchange.response, 200, ended(head, item, generated));
}

async function streamResponse(
  exchange: Exchange,
  head: object,
  item: { readonly id: string },
  generated: Generated,
): Promise<void> {
  const { response, behaviour, random } = exchange;
  const write = beginEvents(exchange);
  let sequence = 0;
  const send = (type: string, fields: object): void => {
    write({ type, sequence_number: sequence, ...fields }, type);
    sequence += 1;
  };
  const begun = { ...head, status: 'in_progress', output: [] };
  const place = { item_id: item.id, output_index: 0, content_index: 0 };
  send('response.created', { response: begun });
  send('response.in_progress', { response: begun });
  send('response.output_item.added', {
    output_index: 0,
    item: { ...item, status: 'in_progress', content: [] },
  });
  send('response.content_part.added', { ...place, part: partOf('') });
  await streamPieces(exchange, generated.text, (delta) =>
    send('response.output_text.delta', { ...place, delta }),
  );
  if (random.chance(behaviour.cutStreams)) return void response.destroy();
  send('response.output_text.done', { ...place, text: generated.text });
  send('response.content_part.done', { ...place, part: partOf(generated.text) });
  send('response.output_item.done', { output_index: 0, item: whole(item, generated) });
  send('response.completed', { response: ended(head, item, generated) });
  response.end();
}

const partOf = (text: string) => ({ type: 'output_text', text, annotations: [] });

const whole = (item: object, { text }: Generated) => ({
  ...item,
  status: 'completed',
  content: [partOf(text)],
});

function ended(head: object, item: object, generated: Generated) {
  const { usage } = generated;
  return {
    ...head,
    status: 'completed',
    output: [whole(item, generated)],
    usage: {
      input_tokens: usage.input,
      input_tokens_details: { cached_tokens: usage.cached },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: usage.thinking },
      total_tokens: usage.input + usage.output,
    },
  };
}
