import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixtureJson } from './support/decode.ts';
import { interfaces } from './support/interfaces.ts';

const fixtures = join(import.meta.dirname, '../../fixtures');
const folders = new Set(readdirSync(fixtures));

/** The expected interpretation of each recorded failure. */
const meaning: Readonly<Record<string, object>> = {
  'ai-proxy/failure-403.json': {
    status: 403,
    type: '1002',
    code: '1002',
    message: 'key has no access to this library',
  },
  'ali/failure-401.json': { status: 401, code: 'invalid_api_key', accountFault: true },
  'ali/failure-429.json': {
    status: 429,
    type: 'Throttling.RateQuota',
    code: 'Throttling.RateQuota',
    param: 'req-3',
  },
  'ali/failure-arrearage.json': { status: 402, code: 'Arrearage', accountFault: true },
  'ali-native/failure-400.json': {
    status: 400,
    type: 'InvalidParameter',
    code: 'InvalidParameter',
    param: 'req-n3',
  },
  'anthropic/failure-529.json': { status: 529, type: 'overloaded_error', message: 'Overloaded' },
  'azure/failure-400.json': { status: 400, code: 'content_filter', param: 'prompt' },
  'azure/failure-404.json': { status: 404, code: 'DeploymentNotFound' },
  'baidu/failure-404.json': { status: 404, code: 'interface_ended', accountFault: true },
  'baidu/failure-413.json': { status: 413, type: 'baidu_error', code: '336006' },
  'baidu/failure-429.json': { status: 429, type: 'baidu_error', code: '336501' },
  'cloudflare/failure-400.json': {
    status: 400,
    code: '5007',
    message: 'No such model @cf/meta/llama-9 or task',
  },
  'cloudflare/failure-401.json': { status: 401, code: '10000', accountFault: true },
  'deepseek/failure-402.json': { status: 402, message: 'Insufficient Balance', accountFault: true },
  'dify/failure-400.json': { status: 403, code: 'provider_not_initialize', accountFault: true },
  'fastgpt/failure-500.json': { status: 401, type: 'unAuthApiKey', accountFault: true },
  'fastgpt/failure-502.json': { status: 402, type: 'teamQuotaInsufficient', accountFault: true },
  'cohere/failure-401.json': { status: 401, message: 'invalid api token', accountFault: true },
  'gemini/failure-429.json': { status: 429, code: 'RESOURCE_EXHAUSTED', retryAfter: 35 },
  'gemini/failure-key.json': { status: 401, code: 'INVALID_ARGUMENT', accountFault: true },
  'moonshot/failure-429.json': {
    status: 402,
    type: 'exceeded_current_quota_error',
    accountFault: true,
  },
  'minimax/failure-401.json': { status: 401, accountFault: true },
  'minimax/failure-balance.json': {
    status: 402,
    type: 'minimax_error',
    code: '1008',
    accountFault: true,
  },
  'minimax/failure-limit.json': { status: 429, type: 'minimax_error', code: '1002' },
  'openai/failure-401.json': { status: 401, code: 'invalid_api_key', accountFault: true },
  'openai/failure-429.json': {
    status: 429,
    code: 'insufficient_quota',
    type: 'insufficient_quota',
    accountFault: true,
  },
  'openrouter/failure-429.json': {
    status: 429,
    message: 'Provider returned error: google/gemini-2.5-pro is temporarily rate-limited upstream',
  },
  'palm/failure-400.json': { status: 401, code: 'INVALID_ARGUMENT', accountFault: true },
  'palm/failure-404.json': { status: 404, code: 'interface_ended', accountFault: true },
  'siliconcloud/failure-401.json': { status: 401, message: 'Invalid token', accountFault: true },
  'siliconcloud/failure-403.json': { status: 403, code: '30001', accountFault: true },
  'tencent-signed/failure-400.json': {
    status: 400,
    type: 'tencent_error',
    code: 'MissingParameter',
  },
  'tencent-signed/failure-402.json': {
    status: 402,
    code: 'FailedOperation.ServiceStopArrears',
    accountFault: true,
  },
  'xunfei-http/failure-400.json': { status: 400, type: 'xunfei_error', code: '10163' },
  'xunfei-http/failure-404.json': { status: 404, type: 'xunfei_error', code: '10404' },
  'xai/failure-403.json': { status: 403, message: 'Content violates usage guidelines.' },
  'volcengine/failure-401.json': { status: 401, code: 'AuthenticationError', accountFault: true },
  'volcengine/failure-overdue.json': {
    status: 402,
    code: 'AccountOverdueError',
    accountFault: true,
  },
  'zhipu-4v/failure-balance.json': { status: 402, code: '1113', accountFault: true },
  'vertex/failure-400.json': { status: 400, type: 'invalid_request_error' },
  'vertex/failure-429.json': { status: 429, code: 'RESOURCE_EXHAUSTED' },
};
/** Google reports an invalid key with status 400. */
const recordedStatus: Readonly<Record<string, number>> = { 'gemini/failure-key.json': 400 };

const recorded = interfaces
  .filter(({ slug }) => folders.has(slug))
  .flatMap(({ slug, readFailure }) =>
    readdirSync(join(fixtures, slug))
      .filter((name) => name.startsWith('failure-') && name.endsWith('.json'))
      .map((name) => ({ slug, readFailure, name, path: `${slug}/${name}` })),
  );

describe('recorded failures', () => {
  it('are all listed here with their meaning', () => {
    const paths = new Set(recorded.map(({ path }) => path));
    expect(Object.keys(meaning).filter((path) => !paths.has(path))).toEqual([]);
    expect(recorded.length).toBeGreaterThanOrEqual(Object.keys(meaning).length);
  });

  it.each(recorded)('$path is decoded as expected', ({ slug, name, path, readFailure }) => {
    const status = recordedStatus[path] ?? Number(/\d{3}/.exec(name)?.[0] ?? 400);
    const error = readFailure({ status, headers: {}, text: '', body: fixtureJson(slug, name) });
    expect(error.message).toBeTruthy();
    expect(error).toMatchObject(meaning[path] ?? { status });
  });
});
