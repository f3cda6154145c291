/**
 * Type 36: relays that speak the protocol of Suno-API (docs/rules/tasks.md#suno). There is no API
 * of Suno's own.
 */

import type { Provider } from '../../canonical/provider.ts';
import { z } from '../../kernel/zod.ts';
import { readSunoFailure, sunoTasks } from './tasks.ts';

export const suno: Provider = {
  slug: 'suno',
  channelTypes: [36],
  defaultBaseUrl: null,
  keyFormat: { example: 'sk-…' },
  settings: z.object({}),
  models: ['suno_music', 'suno_lyrics'],
  operations: {},
  tasks: sunoTasks,
  readFailure: readSunoFailure,
};
