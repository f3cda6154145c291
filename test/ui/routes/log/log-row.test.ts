import { describe, expect, it } from 'vitest';
import type { LogEntity } from '../../../../src/core/contract/entities.ts';
import { checkRange, presetRange, readRange } from '../../../../src/ui/list/time-range.ts';
import { readLogRow } from '../../../../src/ui/routes/log/log-row.ts';

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
};
const read = (other: object, change: Partial<LogEntity> = {}) =>
  readLogRow({ ...entity, ...change, other: JSON.stringify(other) });

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

  it('lists the lanes tried, and the row’s own where none are told', () => {
    expect(read({ admin_info: { use_channel: ['9', '10'] } }).channels).toEqual([9, 10]);
    expect(read({}).channels).toEqual([10]);
    expect(read({}, { channel: 0 }).channels).toEqual([]);
  });

  it('reads −1000 as no first token, as One API writes it', () => {
    expect(read({ frt: -1000 }).firstToken).toBeUndefined();
    expect(read({ frt: 1120 }).firstToken).toBe(1.12);
  });

  it('survives anything in other', () => {
    expect(readLogRow({ ...entity, other: 'not json' })).toMatchObject({
      input: 6132,
      cached: 0,
      ratio: undefined,
    });
  });
});

describe('the span of the log', () => {
  const now = new Date('2026-11-20T20:04:00').getTime() / 1000;
  it('ends open presets an hour from now, and shows three days', () => {
    expect(presetRange('threeDays', now)).toEqual({
      start: new Date('2026-11-18T00:00:00').getTime() / 1000,
      end: now + 3600,
    });
    expect(presetRange('yesterday', now).end).toBe(
      new Date('2026-11-20T00:00:00').getTime() / 1000 - 1,
    );
  });

  it('refuses more than three days, and an end before its start', () => {
    expect(checkRange({ start: now - 3 * 86_400, end: now })).toBeUndefined();
    expect(checkRange({ start: now - 3 * 86_400 - 1, end: now })).toBe('tooLong');
    expect(checkRange({ start: now, end: now })).toBe('order');
    expect(checkRange({ start: Number.NaN, end: now })).toBe('order');
  });

  it('ignores a span in the URL that this screen would not make', () => {
    expect(readRange('', '')).toBeUndefined();
    expect(readRange(String(now - 60), String(now))).toEqual({ start: now - 60, end: now });
    expect(readRange(String(now - 9 * 86_400), String(now))).toBeUndefined();
  });
});
