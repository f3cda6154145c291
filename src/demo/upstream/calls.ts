/** Operations other than chat: embeddings, images, model lists, balances. */
import { type Exchange, sendJson, waitForFirstByte } from './exchange.ts';
import { promptText, tokensIn } from './generate.ts';
import { drawPicture } from './picture.ts';

const dimensions = 64;
const pictureTokens = 1056;

export async function replyEmbeddings(exchange: Exchange): Promise<void> {
  const { body, random, response } = exchange;
  const inputs = Array.isArray(body['input']) ? body['input'] : [body['input']];
  const vector = () =>
    Array.from({ length: dimensions }, () => Number((random.next() * 2 - 1).toFixed(6)));
  const tokens = tokensIn(promptText(body['input']));
  await waitForFirstByte(exchange);
  sendJson(response, 200, {
    object: 'list',
    model: body['model'],
    data: inputs.map((_, index) => ({
      object: 'embedding',
      index,
      embedding: encode(vector(), body['encoding_format']),
    })),
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  });
}

/** OpenAI's SDKs ask for the floats as base64. */
function encode(vector: readonly number[], format: unknown): readonly number[] | string {
  return format === 'base64'
    ? Buffer.from(Float32Array.from(vector).buffer).toString('base64')
    : vector;
}

export async function replyImages(exchange: Exchange): Promise<void> {
  const { body, pace, random, response, now } = exchange;
  await waitForFirstByte(exchange);
  await pace.wait(random.between(2000, 6000));
  const count = typeof body['n'] === 'number' ? body['n'] : 1;
  const input = tokensIn(promptText(body['prompt']));
  sendJson(response, 200, {
    created: now,
    data: Array.from({ length: count }, () => ({ b64_json: drawPicture(random) })),
    usage: {
      input_tokens: input,
      input_tokens_details: { text_tokens: input, image_tokens: 0 },
      output_tokens: count * pictureTokens,
      total_tokens: input + count * pictureTokens,
    },
  });
}

export function replyModels({ path, response }: Exchange): void {
  if (path.startsWith('/v1beta/')) {
    const names = ['gemini-3.8-flash', 'gemini-4-argon'];
    const models = names.map((name) => ({
      name: `models/${name}`,
      supportedGenerationMethods: ['generateContent'],
    }));
    return sendJson(response, 200, { models });
  }
  const ids = [
    'gpt-5.6-sol',
    'gpt-5.4-mini',
    'gpt-6-luna',
    'gpt-6-sol',
    'text-embedding-3-small',
    'gpt-image-2',
    'claude-sonnet-5-5',
    'claude-haiku-5-5',
    'deepseek-v4-flash',
    'deepseek-v4-pro',
    'qwen3.7-plus',
    'mistral-large-latest',
  ];
  sendJson(response, 200, {
    object: 'list',
    data: ids.map((id) => ({ id, object: 'model', owned_by: 'scripted' })),
  });
}

/** DeepSeek's balance. */
export function replyBalance({ response }: Exchange): void {
  sendJson(response, 200, {
    is_available: true,
    balance_infos: [
      {
        currency: 'CNY',
        total_balance: '286.40',
        granted_balance: '0.00',
        topped_up_balance: '286.40',
      },
    ],
  });
}

/** OpenAI's subscription, in dollars. */
export function replySubscription({ response }: Exchange): void {
  sendJson(response, 200, {
    object: 'billing_subscription',
    has_payment_method: true,
    hard_limit_usd: 500,
  });
}

/** OpenAI's usage of the period, in cents. */
export function replyUsage({ response }: Exchange): void {
  sendJson(response, 200, { object: 'list', total_usage: 18_342.5 });
}

/** The payment page of an Epay gateway. */
export function replyPayPage({ response }: Exchange): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
  response.end(
    '<!doctype html><title>Payment page</title><p>The payment page of the demo site. Nothing can be paid here.</p>',
  );
}

/** What an Epay gateway reports of an order that waits for its payment. */
export function replyUnpaid({ response }: Exchange): void {
  sendJson(response, 200, { code: 1, msg: 'unpaid', status: 0 });
}
