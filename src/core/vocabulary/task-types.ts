/** Drawing and generic tasks. */
export const taskStatuses = [
  'NOT_START',
  'SUBMITTED',
  'QUEUED',
  'IN_PROGRESS',
  'SUCCESS',
  'FAILURE',
  'UNKNOWN',
] as const;
export const taskActions = ['MUSIC', 'LYRICS', 'IMAGE', 'VIDEO'] as const;
export const taskPlatforms = ['suno', 'ali', 'image'] as const;
/**
 * Upstreams of long work: those of the table `tasks`, and drawing, which has a table of its own.
 */
export type TaskPlatform = (typeof taskPlatforms)[number] | 'midjourney';
export type TaskStatus = (typeof taskStatuses)[number];
export const drawingStatuses = [
  'NOT_START',
  'SUBMITTED',
  'IN_PROGRESS',
  'FAILURE',
  'SUCCESS',
  'MODAL',
] as const;
export type DrawingStatus = (typeof drawingStatuses)[number];
export const drawingActions = [
  'IMAGINE',
  'UPSCALE',
  'VARIATION',
  'HIGH_VARIATION',
  'LOW_VARIATION',
  'PAN',
  'DESCRIBE',
  'BLEND',
  'UPLOAD',
  'SHORTEN',
  'REROLL',
  'INPAINT',
  'ZOOM',
  'CUSTOM_ZOOM',
  'MODAL',
  'SWAP_FACE',
] as const;
/** 1 submitted, 21 waiting, 22 duplicate, 0 not submitted. */
export const drawingCodes = { submitted: 1, waiting: 21, duplicate: 22, notSubmitted: 0 } as const;
