// Covers src/core/relay/formats/openai-images/fields.ts, src/core/relay/formats/openai-images/measure.ts
/** Images that are ordered by fields of a vendor's own: each that comes is charged. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CallBench, startCallBench, startQuota } from '../../../support/calls.ts';
import { sendJson } from '../../../support/upstream.ts';

/** 0.01 units for an image. */
const price = 5000;
let bench: CallBench;

beforeAll(async () => {
  bench = await startCallBench('any-painter');
  const { gateway, upstream } = bench;
  await gateway.addChannel({ type: 40, baseUrl: upstream.url, models: 'silicon-painter' });
  await gateway.addChannel({ type: 45, baseUrl: upstream.url, models: 'ark-painter' });
  const prices = { 'any-painter': 0.01, 'silicon-painter': 0.01, 'ark-painter': 0.01 };
  await gateway.set('ModelPrice', prices);
});
afterAll(() => bench.close());
beforeEach(() => {
  bench.upstream.requests.length = 0;
});

async function order(fields: object, came: number) {
  bench.upstream.answer((response) => {
    const data = Array.from({ length: came }, (_, at) => ({ url: `https://i.example/${at}.png` }));
    sendJson(response, 200, { created: 1, data });
  });
  const { key, userId } = await bench.gateway.addCustomer(startQuota);
  const body = JSON.stringify({ prompt: 'a lake', ...fields });
  const reply = await bench.post('/v1/images/generations', key, body);
  return { status: reply.status, spent: await bench.spent(userId) };
}

const series = (max_images?: number) => ({
  model: 'ark-painter',
  sequential_image_generation: 'auto',
  ...(max_images !== undefined && { sequential_image_generation_options: { max_images } }),
});

describe('what came is charged', () => {
  it.each([
    [{ model: 'silicon-painter', batch_size: 4 }, 4, 4],
    [{ model: 'any-painter', batch_size: 4 }, 4, 4],
    // A server that does not know the field.
    [{ model: 'any-painter', batch_size: 4 }, 1, 1],
    [{ model: 'silicon-painter', n: 2 }, 2, 2],
    [series(), 9, 9],
    [series(3), 2, 2],
    [{ ...series(3), sequential_image_generation: 'disabled' }, 1, 1],
    // Nobody ordered more.
    [{ model: 'any-painter' }, 3, 1],
    [series(3), 5, 3],
  ])('%j: %i came, %i are charged', async (fields, came, charged) => {
    expect(await order(fields, came)).toEqual({ status: 200, spent: charged * price });
  });

  it('at the price of its size, with a star, too', async () => {
    for (const size of ['1792x1024', '1792*1024', '1792X1024'])
      expect(await order({ model: 'any-painter', size }, 1)).toEqual({
        status: 200,
        spent: 2 * price,
      });
  });
});

it.each([
  { model: 'silicon-painter', batch_size: 1000 },
  { model: 'silicon-painter', batch_size: '4' },
  { model: 'silicon-painter', Batch_size: 4 },
  series(0),
])('%j is refused', async (fields) => {
  expect(await order(fields, 1)).toEqual({ status: 400, spent: 0 });
  expect(bench.upstream.requests).toHaveLength(0);
});
