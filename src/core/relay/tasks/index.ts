/** The task platforms whose calls the relay serves: one line each. */
import type { TaskRoutes } from '../task-call.ts';
import { imageRoutes } from './image/index.ts';
import { midjourneyRoutes } from './midjourney/index.ts';
import { sunoRoutes } from './suno/index.ts';
import { videoRoutes } from './video/index.ts';

export const taskRoutes: readonly TaskRoutes[] = [
  sunoRoutes,
  midjourneyRoutes,
  imageRoutes,
  ...videoRoutes,
];
