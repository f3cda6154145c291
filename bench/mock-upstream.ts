/**
 * A cheap upstream with OpenAI's API, on the port of the first argument or any. Replies are prepared
 * once, so that the gateway dominates the measurement.
 */
import { createServer } from 'node:http';
import { timeText } from './harness/event-times.ts';

const usage = { prompt_tokens: 12, completion_tokens: 100, total_tokens: 112 };
const reply = Buffer.from(
  JSON.stringify({
    id: 'chatcmpl-bench',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'gpt-4o-mini',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: 'Twelve words that stand for an answer of quite ordinary length.',
        },
        finish_reason: 'stop',
      },
    ],
    usage,
  }),
);

function chunk(delta: object, finish: string | null = null): Buffer {
  const head = {
    id: 'chatcmpl-bench',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: 'gpt-4o-mini',
  };
  return Buffer.from(
    `data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
  );
}

const eventsOf = (words: number) => [
  chunk({ role: 'assistant', content: '' }),
  ...Array.from({ length: words }, (_, index) => chunk({ content: ` word${index}` })),
  chunk({}, 'stop'),
  Buffer.from(
    `data: ${JSON.stringify({ id: 'chatcmpl-bench', object: 'chat.completion.chunk', choices: [], usage })}\n\ndata: [DONE]\n\n`,
  ),
];

/**
 * Milliseconds between two events, so that each is sent separately, as by a model, and a thousand
 * streams stay open at once.
 */
const gap = 1;
const slowGap = 20;
const timedGap = 10;
const streamMark = Buffer.from('"stream":true');
const slowMark = Buffer.from('"user":"slow"');
const timedMark = Buffer.from('"user":"timed"');
const agentMark = Buffer.from('"user":"agent"');
const shortStream = eventsOf(98);
const agentStream = eventsOf(1998);

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (data: Buffer) => chunks.push(data));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    if (!body.includes(streamMark)) {
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': reply.length,
      });
      return response.end(reply);
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const isTimed = body.includes(timedMark);
    const pause = body.includes(slowMark) ? slowGap : isTimed ? timedGap : gap;
    const events = body.includes(agentMark) ? agentStream : shortStream;
    let index = 0;
    const next = () => {
      if (response.destroyed) return;
      if (index === events.length) return response.end();
      const isWord = index > 0 && index < events.length - 2;
      response.write(isTimed && isWord ? chunk({ content: timeText() }) : events[index]);
      index += 1;
      setTimeout(next, pause);
    };
    next();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' ? address?.port : ''}\n`);
});
