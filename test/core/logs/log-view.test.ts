import { describe, expect, it } from 'vitest';
import type { LogEntity } from '../../../src/core/contract/entities.ts';
import { readLog } from '../../../src/core/logs/log-view.ts';

const entity: LogEntity = {
  id: 1,
  user_id: 1,
  created_at: 0,
  type: 2,
  content: '',
  username: 'linxi',
  token_name: 'production',
  model_name: 'claude-sonnet-4',
  quota: 10,
  prompt_tokens: 6132,
  completion_tokens: 1326,
  use_time: 14,
  is_stream: true,
  channel: 10,
  channel_name: '',
  token_id: 1,
  group: 'vip',
  other: '',
  request_id: '',
  tags: '',
};
const read = (other: object, change: Partial<LogEntity> = {}) =>
  readLog({ ...entity, ...change, other: JSON.stringify(other) });

describe('a usage log row', () => {
  it('adds cache reads and writes to the prompt of Claude rows only', () => {
    const cache = { cache_tokens: 12_288, cache_creation_tokens: 100 };
    expect(read({ ...cache, claude: true }).input).toBe(6132 + 12_388);
    expect(read(cache).input).toBe(6132);
  });

  it.each([
    [{ usage_source: 'upstream', request_path: '/v1/audio/speech' }, 'tts-1', undefined],
    [{ usage_source: 'counted', request_path: '/v1/audio/speech' }, 'tts-1', 'characters'],
    [{ usage_source: 'counted', request_path: '/v1/audio/speech' }, 'gpt-4o-mini-tts', 'seconds'],
    [{ usage_source: 'counted', request_path: '/v1/audio/transcriptions' }, 'whisper-1', 'seconds'],
    [{ usage_source: 'counted', image_count: 2 }, 'dall-e-3', 'images'],
    [{ usage_source: 'counted', request_path: '/v1/chat/completions' }, 'gpt-4o', 'text'],
  ])('tells how %j was counted', (other, model, counting) => {
    expect(read(other, { model_name: model }).counting).toBe(counting);
  });

  it('knows what was charged by the call, where counting does not matter; images are counted all the same', () => {
    const counted = { usage_source: 'counted', request_path: '/v1/audio/speech' };
    expect(read({ ...counted, model_price: 0.3, model_ratio: 0 })).toMatchObject({
      fixedPrice: true,
      counting: undefined,
    });
    expect(read({ ...counted, model_price: -1, model_ratio: 1 })).toMatchObject({
      fixedPrice: false,
      counting: 'seconds',
    });
    expect(read({ image_count: 1, model_price: 0.04 })).toMatchObject({
      fixedPrice: false,
      counting: 'images',
    });
  });

  it('knows a failed request from one that was charged', () => {
    expect(read({ status_code: 502 }, { type: 5 })).toMatchObject({
      isError: true,
      isRequest: false,
    });
    expect(read({})).toMatchObject({ isError: false, isRequest: true });
  });

  it('takes a special ratio before the group’s, and −1 for none', () => {
    expect(read({ group_ratio: 0.8, user_group_ratio: -1 }).ratio).toBe(0.8);
    expect(read({ group_ratio: 0.8, user_group_ratio: 0.5 }).ratio).toBe(0.5);
  });

  it('lists the channels tried, and the row’s own where none are known', () => {
    expect(read({ admin_info: { use_channel: ['9', '10'] } }).channels).toEqual([9, 10]);
    expect(read({}).channels).toEqual([10]);
    expect(read({}, { channel: 0 }).channels).toEqual([]);
  });

  it('reads −1000 as no first token, as One API writes it', () => {
    expect(read({ frt: -1000 }).firstToken).toBeUndefined();
    expect(read({ frt: 1120 }).firstToken).toBe(1.12);
  });

  it('has exact seconds where the row has them, else whole ones', () => {
    expect(read({ use_ms: 842 })).toMatchObject({ seconds: 0.842, secondsText: '0.84' });
    expect(read({})).toMatchObject({ seconds: 14, secondsText: '14' });
    expect(read({}, { use_time: 0 })).toMatchObject({ seconds: 0, secondsText: '<1' });
  });

  it('is marked as test, realtime and counted', () => {
    expect(read({ is_test: true, ws: true, usage_source: 'counted' }).marks).toEqual([
      'test',
      'realtime',
      'counted',
    ]);
    expect(read({ usage_source: 'upstream' }).marks).toEqual([]);
  });

  it('says why a request failed, with the status unless its stream was cut', () => {
    const failed = { type: 5, content: 'overloaded' };
    expect(read({ status_code: 503 }, failed)).toMatchObject({
      status: 503,
      note: '503 overloaded',
    });
    expect(read({ status_code: 200, ended: 'upstream_cut' }, failed)).toMatchObject({
      status: undefined,
      note: 'overloaded',
    });
    expect(read({ status_code: 503 }, { content: 'hd' }).note).toBe('hd');
  });

  it('survives anything in other', () => {
    expect(readLog({ ...entity, other: 'not json' })).toMatchObject({
      input: 6132,
      cached: 0,
      ratio: undefined,
    });
  });
});
