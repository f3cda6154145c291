/** Gemini's generateContent, streamGenerateContent and embedContent (Gemini API reference). */
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

export async function replyGenerate(exchange: Exchange): Promise<void> {
  const { body, path, random } = exchange;
  const [, model = '', call = ''] = /\/models\/([^:]+):(\w+)$/.exec(path) ?? [];
  const generated = generate(random, model, promptText(body));
  const head = { modelVersion: model, responseId: makeId(random, '') };
  await waitForFirstByte(exchange);
  if (call === 'streamGenerateContent') return streamGenerate(exchange, head, generated);
  await waitForWords(exchange, generated.text.split(' ').length);
  sendJson(exchange.response, 200, {
    ...candidate(generated.text, 'STOP'),
    usageMetadata: usageOf(generated),
    ...head,
  });
}

async function streamGenerate(
  exchange: Exchange,
  head: object,
  generated: Generated,
): Promise<void> {
  const { response, behaviour, random } = exchange;
  const write = beginEvents(exchange);
  await streamPieces(exchange, generated.text, (piece) => write({ ...candidate(piece), ...head }));
  if (random.chance(behaviour.cutStreams)) return void response.destroy();
  write({ ...candidate('', 'STOP'), usageMetadata: usageOf(generated), ...head });
  response.end();
}

function candidate(text: string, finishReason?: string) {
  const content = { role: 'model', parts: [{ text }] };
  return {
    candidates: [{ content, index: 0, ...(finishReason === undefined ? {} : { finishReason }) }],
  };
}

function usageOf({ usage }: Generated) {
  return {
    promptTokenCount: usage.input,
    cachedContentTokenCount: usage.cached,
    candidatesTokenCount: usage.output - usage.thinking,
    thoughtsTokenCount: usage.thinking,
    totalTokenCount: usage.input + usage.output,
  };
}
