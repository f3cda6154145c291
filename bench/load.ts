/** Load generator, run as a separate process: `load.ts URL KEY SHAPE COUNT CONCURRENCY`. Prints one line of JSON. */
import { Pool } from 'undici';

const [, , url = '', key = '', shape = 'small', count = '1', concurrency = '1'] = process.argv;
const prompts: Record<string, () => object> = {
  small: () => ({
    model: 'gpt-4o-mini',
    messages: [{ role: 'user', content: 'Say a few words about toll roads.' }],
    max_tokens: 200,
  }),
  stream: () => ({ ...prompts['small']?.(), stream: true }),
  slow: () => ({ ...prompts['small']?.(), stream: true, user: 'slow' }),
  large: () => prompt(5690),
  huge: () => prompt(58_250),
};
function prompt(repeats: number): object {
  return { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'lorem ipsum dolor '.repeat(repeats) }], max_tokens: 200 };
}
const isStream = shape === 'stream' || shape === 'slow';
const body = JSON.stringify(prompts[shape]?.());
const pool = new Pool(url, { connections: null, pipelining: 1, headersTimeout: 60_000, bodyTimeout: 60_000 });

function once(): Promise<boolean> {
  return new Promise((resolve) => {
    let tail: Buffer = Buffer.alloc(0);
    let status = 0;
    pool.dispatch(
      {
        path: '/v1/chat/completions',
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body,
      },
      {
        onRequestStart: () => undefined,
        onResponseStart: (_controller, code) => {
          status = code;
        },
        onResponseData: (_controller, chunk) => {
          tail = chunk;
        },
        onResponseEnd: () => resolve(status === 200 && (!isStream || tail.includes('[DONE]'))),
        onResponseError: () => resolve(false),
      },
    );
  });
}

let left = Number(count);
let failed = 0;
const started = process.hrtime.bigint();
async function worker(): Promise<void> {
  while (left > 0) {
    left -= 1;
    if (!(await once())) failed += 1;
  }
}
await Promise.all(Array.from({ length: Number(concurrency) }, worker));
const seconds = Number(process.hrtime.bigint() - started) / 1e9;
process.stdout.write(`${JSON.stringify({ failed, seconds })}\n`);
process.exit(0);
