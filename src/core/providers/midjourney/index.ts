/**
 * Types 2 and 5, proxies of Midjourney (docs/rules/midjourney.md). They differ in the models that
 * they offer.
 */
import type { DrawingOrder } from '../../canonical/drawing.ts';
import { readFailure } from '../../canonical/kit/failure.ts';
import { fetchObject } from '../../canonical/kit/task-reply.ts';
import type { Call, Provider } from '../../canonical/provider.ts';
import type { TaskProvider } from '../../canonical/task-provider.ts';
import { pollDrawings, pollTimeout } from './poll.ts';
import { seedRequest } from './request.ts';
import { type MidjourneySettings, midjourneySettings } from './settings.ts';
import { submitDrawing, submitTimeout } from './submit.ts';

/** Milliseconds. */
const seedTimeout = 30_000;

const settingsOf = (call: Call): Call<MidjourneySettings> => ({
  ...call,
  settings: midjourneySettings.parse(call.settings),
});

const tasks: TaskProvider<DrawingOrder> = {
  platform: 'midjourney',
  batchSize: 100,
  submitTimeout,
  pollTimeout,
  submit: (order, call, effects) => submitDrawing(order, settingsOf(call), effects),
  poll: (polled, call, effects) => pollDrawings(polled, settingsOf(call), effects),
  imageSeed: (id, call, effects) =>
    fetchObject(effects, { ...seedRequest(id, settingsOf(call)), timeoutMs: seedTimeout }),
};

export const midjourney: Provider<MidjourneySettings> = {
  slug: 'midjourney',
  channelTypes: [2, 5],
  defaultBaseUrl: null,
  keyFormat: { example: 'mj-api-secret' },
  settings: midjourneySettings,
  models: [],
  operations: {},
  tasks,
  readFailure,
};
