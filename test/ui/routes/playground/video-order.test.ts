/** What a price of video is multiplied by before it is ordered, as the relay charges it. */
import { expect, test } from 'vitest';
import type { CatalogModel } from '../../../../src/core/contract/model-square.ts';
import { secondsCharged } from '../../../../src/ui/routes/playground/video/video-order.ts';

const priced = (model: string, ratios?: Record<string, number>) =>
  ({ model, ...(ratios && { video_ratios: ratios }) }) as CatalogModel;

test('a price per video is that of any length; one per second counts seconds and resolution', () => {
  const ratios = { '480P': 1, '720P': 2, '1080P': 3 };
  expect(secondsCharged(priced('wan2.5-t2v-preview'), '1280*720', 10)).toBe(1);
  const model = priced('wan2.5-t2v-preview', ratios);
  expect(secondsCharged(model, '1280*720', 10)).toBe(20);
  // Lengths and resolutions that nobody chose are those of the model: 5 seconds, 1080P.
  expect(secondsCharged(model, '', undefined)).toBe(15);
  expect(secondsCharged(priced('film-1', ratios), '832*480', undefined)).toBe(5);
  expect(secondsCharged(priced('film-1', {}), '', 4)).toBe(4);
});
