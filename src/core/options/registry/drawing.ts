import { booleanOption } from '../define.ts';

const drawing = { panel: 'operation.drawing' } as const;

/** Drawing and generic tasks. */
export const drawingOptions = {
  DrawingEnabled: booleanOption({ ...drawing, default: true, status: 'enable_drawing' }),
  TaskEnabled: booleanOption({ ...drawing, default: true, status: 'enable_task' }),
  MjNotifyEnabled: booleanOption({ ...drawing, default: false, status: 'mj_notify_enabled' }),
  MjAccountFilterEnabled: booleanOption({ ...drawing, default: false }),
  MjModeClearEnabled: booleanOption({ ...drawing, default: false }),
  MjForwardUrlEnabled: booleanOption({ ...drawing, default: true }),
  MjActionCheckSuccessEnabled: booleanOption({ ...drawing, default: true }),
};
