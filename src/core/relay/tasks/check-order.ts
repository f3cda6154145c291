import { AppError } from '../../kernel/errors.ts';
import { checkChannels, checkModel } from '../admit/open-job.ts';
import type { CallerContext } from '../context.ts';
import type { TaskOrder } from '../task-call.ts';

/** Throws AppError: what is wrong with the order before anything is held. */
export async function checkOrder(context: CallerContext, order: TaskOrder): Promise<void> {
  const { policy } = context;
  const isDrawing = order.platform === 'midjourney';
  if (!(isDrawing ? policy.drawing : policy.tasks))
    throw new AppError(isDrawing ? 'drawing_disabled' : 'tasks_disabled');
  checkModel(context, order.model);
  if (policy.sensitiveWords?.isIn(order.texts.join('\n')))
    throw new AppError('sensitive_words_detected');
  if (order.pin === undefined) await checkChannels(context, order.model);
  else if (context.deps.routing.find(order.pin.channelId) === undefined)
    throw new AppError('task_channel_disabled');
}
