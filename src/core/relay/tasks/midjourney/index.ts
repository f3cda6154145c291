/**
 * The routes of midjourney-proxy, below `/mj` and `/mj-fast/mj` (docs/rules/midjourney.md#routes).
 */
import { type DrawingMode, drawingModes } from '../../../canonical/drawing.ts';
import type { RelayContext } from '../../context.ts';
import { midjourneyFamily } from '../../formats/families/midjourney.ts';
import type { CallerTaskCall, TaskRoutes } from '../../task-call.ts';
import { serveImage } from './image.ts';
import { serveNotify } from './notify.ts';
import { submitPaths } from './read-order.ts';
import { serveFetch, serveList, serveSeed } from './reads.ts';
import { serveSubmit } from './submit.ts';

/** The path below `/mj/`; the mode before it is one of those known. */
function pattern(path: string): RegExp {
  return new RegExp(`^(?:/mj-(?<mode>${drawingModes.join('|')}))?/mj/${path}$`);
}

function modeOf({ route }: RelayContext): DrawingMode | undefined {
  return drawingModes.find((mode) => mode === route.params?.['mode']);
}

const submits = submitPaths.map(
  (path): CallerTaskCall => ({
    kind: 'submit',
    method: 'POST',
    pattern: pattern(path),
    serve: (context, deps) => serveSubmit(context, deps, path, modeOf(context)),
  }),
);

const task = 'task/(?<id>[^/]+)';

export const midjourneyRoutes: TaskRoutes = {
  prefix: /^(?:\/mj-[^/]*)?\/mj(?:\/|$)/,
  family: midjourneyFamily,
  calls: [
    ...submits,
    { kind: 'read', method: 'GET', pattern: pattern(`${task}/fetch`), serve: serveFetch },
    { kind: 'read', method: 'GET', pattern: pattern(`${task}/image-seed`), serve: serveSeed },
    { kind: 'read', method: 'POST', pattern: pattern('task/list-by-condition'), serve: serveList },
    { kind: 'open', method: 'POST', pattern: pattern('notify'), serve: serveNotify },
    { kind: 'open', method: 'GET', pattern: pattern('image/(?<id>[^/]+)'), serve: serveImage },
  ],
};
