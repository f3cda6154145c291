/** The images that playgrounds ordered: to show them, and to stop an order. */
import { AppError } from '../../../kernel/errors.ts';
import { authenticateConsole } from '../../admit/console-caller.ts';
import { openAiFamily } from '../../formats/families/openai.ts';
import { idHeaders, sendJson } from '../../reply.ts';
import { contentRequest, sendContent } from '../../send-content.ts';
import type { CallerTaskCall, OpenTaskCall, TaskRoutes } from '../../task-call.ts';

/** For everybody who has a signed link, and for the signed-in owner. */
const serveImage: OpenTaskCall['serve'] = async (context) => {
  const { imageTasks, results } = context.deps;
  const { id: taskId = '', number: text = '' } = context.route.params ?? {};
  const number = Number(text);
  const query = new URLSearchParams((context.request.url ?? '').split('?')[1] ?? '');
  const signature = query.get('sig');
  if (signature === null) {
    const { caller, memory } = await authenticateConsole(context);
    memory.release();
    await imageTasks.findOwn(caller.userId, taskId);
  } else if (!imageTasks.isValid({ taskId, number }, query.get('exp') ?? '', signature))
    throw new AppError('result_link_invalid');
  const stored = await results.open(taskId, contentRequest(context), number);
  if (stored === null) throw new AppError('result_gone');
  await sendContent(context, stored);
};

/** The page's own order; one that is over stays as it is. */
const stopOrder: CallerTaskCall['serve'] = async ({ deps, caller, response, route, requestId }) => {
  deps.runningImages.stop({ userId: caller.userId, key: route.params?.['key'] ?? '' });
  sendJson(response, 200, { success: true, message: '' }, idHeaders(requestId));
};

export const imageRoutes: TaskRoutes = {
  family: openAiFamily,
  calls: [
    {
      method: 'DELETE',
      pattern: /^\/pg\/images\/generations\/(?<key>[\w-]{1,64})$/,
      kind: 'read',
      login: 'console',
      serve: stopOrder,
    },
    {
      method: 'GET',
      pattern: /^\/pg\/images\/generations\/(?<id>[^/]+)\/(?<number>[1-9]\d{0,2})$/,
      kind: 'open',
      serve: serveImage,
    },
  ],
};
