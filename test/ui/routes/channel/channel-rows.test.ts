import { describe, expect, it } from 'vitest';
import type { ChannelEntity } from '../../../../src/core/contract/entities.ts';
import { tagRow } from '../../../../src/ui/routes/channel/channel-rows.ts';

const channel = (fields: Partial<ChannelEntity>) =>
  ({
    status: 1,
    response_time: 0,
    group: 'default',
    used_quota: 0,
    priority: 0,
    weight: 0,
    ...fields,
  }) as ChannelEntity;

const good = channel({ response_time: 400 });
const bad = channel({ response_time: 9000, test_error: 'invalid key' });

describe('channels whose last test failed', () => {
  it('are counted in their tag’s row and keep their time out of its mean', () => {
    expect(
      tagRow('t', [good, channel({ response_time: 600 }), bad, channel({})], false),
    ).toMatchObject({
      responseTime: 500,
      failed: 1,
    });
    expect(tagRow('t', [bad], false)).toMatchObject({ responseTime: 0, failed: 1 });
  });
});
