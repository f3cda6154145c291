/** Operations other than chat: embeddings, images, model lists, balances. */
import { type Exchange, sendJson, waitForFirstByte } from './exchange.ts';
import { promptText, tokensIn } from './generate.ts';

const dimensions = 64;

/** One transparent pixel. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

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
  sendJson(response, 200, {
    created: now,
    data: Array.from({ length: count }, () => ({ b64_json: pixel })),
  });
}

export function replyModels({ path, response }: Exchange): void {
  if (path.startsWith('/v1beta/')) {
    const names = ['gemini-2.5-flash', 'gemini-2.5-pro'];
    const models = names.map((name) => ({
      name: `models/${name}`,
      supportedGenerationMethods: ['generateContent'],
    }));
    return sendJson(response, 200, { models });
  }
  const ids = [
    'gpt-4o',
    'gpt-4o-mini',
    'gpt-4.1-mini',
    'o4-mini',
    'text-embedding-3-small',
    'dall-e-3',
    'claude-sonnet-4-5',
    'claude-haiku-4-5',
    'deepseek-chat',
    'deepseek-reasoner',
    'qwen-plus',
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
