import { z } from '../../kernel/zod.ts';

export const midjourneySettings = z.object({
  /**
   * What the speed of a path such as `/mj-fast/mj/submit/imagine` does at this channel
   * (docs/rules/midjourney.md#modes): nothing; it stays in the path; or it becomes the order's
   * account filter.
   */
  mj_mode: z.enum(['ignore', 'path', 'filter']).optional(),
  /**
   * Reports of the proxy that carry it are believed; absent: none are
   * (docs/rules/midjourney.md#notifications).
   */
  mj_notify_secret: z.string().optional(),
});
export type MidjourneySettings = z.infer<typeof midjourneySettings>;
