/** The upstream of the photographs: answers with all that the playground draws. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '../../src/demo/random.ts';
import { drawPicture } from '../../src/demo/upstream/picture.ts';
import {
  chatReply,
  sendJson,
  startUpstream,
  type TestUpstream,
} from '../../test/support/upstream.ts';

const usage = { prompt_tokens: 240, completion_tokens: 186, total_tokens: 426 };

const rich = `A streamed answer is charged by what arrived, in three steps:

1. **Hold**: the most that the request can cost, before the call.
2. **Settle**: by the usage that the upstream reports.
3. **Return**: the remainder, at once.

With $t$ tokens at price $p$ and the group's ratio $r$:

\\[ c = \\left\\lceil r \\sum_{i} t_i\\, p_i \\right\\rceil \\]

\`\`\`mermaid
flowchart LR
  request["Request"] --> hold["Hold"]
  hold --> upstream["Upstream"]
  upstream --> settle["Settle"]
\`\`\`

\`\`\`ts
const used = usage ?? count(delivered); // what arrived
await ledger.settle(hold.id, priceOf(used));
\`\`\`

| kind | tokens | price per 1M |
|---|---:|---:|
| input | 6,132 | $3.00 |
| output | 1,326 | $15.00 |
`;

const short = (model: string) =>
  `**${model}** counts what it delivered: the hold is released and the charge is written first.

- a client that leaves pays for what arrived
- a stream that breaks says so
`;

/** The words of the last question choose the answer. */
export async function startStudio(): Promise<TestUpstream> {
  const upstream = await startUpstream();
  const random = createRandom(7);
  upstream.answer(async (response, request) => {
    if (request.headers.authorization !== 'Bearer sk-right')
      return sendJson(response, 401, {
        error: { message: 'Incorrect API key provided: sk-wrong.', code: 'invalid_api_key' },
      });
    if (request.path.endsWith('/models'))
      return sendJson(response, 200, {
        data: [
          'gpt-5.6-sol',
          'gpt-5.4-mini',
          'gpt-6-luna',
          'gpt-image-2',
          'text-embedding-3-small',
          'house-model-preview',
        ].map((id) => ({ id, object: 'model' })),
      });
    if (request.path.includes('/images/'))
      return sendJson(response, 200, {
        created: 1,
        data: [{ b64_json: drawPicture(random) }],
        // Little, so that no budget of the demo site ends.
        usage: { input_tokens: 20, output_tokens: 200, total_tokens: 220 },
      });
    await sleep(40);
    const isShort = /"(?:Compare|比较)/.test(request.text);
    const model = String(request.json['model']);
    await chatReply(isShort ? short(model) : rich, usage)(response, request);
  });
  return upstream;
}
