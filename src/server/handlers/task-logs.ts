import type { App } from '../../core/app.ts';
import type { drawingApi, taskApi } from '../../core/contract/task-logs.ts';
import { presentDrawing, presentTask } from '../../core/tasks/present-task.ts';
import { actorOf, type Handlers, pageRequest } from './context.ts';

export function taskLogHandlers(app: App): {
  drawing: Handlers<typeof drawingApi>;
  task: Handlers<typeof taskApi>;
} {
  const { taskLists } = app;
  const videoAt = (taskId: string) => app.tasks.videos.links.forConsole(taskId);
  const images = app.tasks.drawingImages;
  const request = ({ p, page_size }: { p: number; page_size: number }) =>
    pageRequest(p, page_size, 0);

  type Filters<Own> = Own & { readonly start_timestamp: number; readonly end_timestamp: number };
  const timesOf = ({ start_timestamp, end_timestamp }: Filters<object>) => ({
    ...(start_timestamp > 0 && { from: start_timestamp }),
    ...(end_timestamp > 0 && { to: end_timestamp }),
  });
  const ofAll = ({ channel_id, username }: { channel_id: number; username: string }) => ({
    ...(channel_id > 0 && { channelId: channel_id }),
    username: username.trim(),
  });
  const drawings = (input: Filters<{ mj_id: string; action: string; status: string }>) => ({
    ...timesOf(input),
    mjId: input.mj_id.trim(),
    action: input.action,
    status: input.status,
  });
  const tasks = (
    input: Filters<{ task_id: string; platform: string; action: string; status: string }>,
  ) => ({
    ...timesOf(input),
    taskId: input.task_id.trim(),
    platform: input.platform,
    action: input.action,
    status: input.status,
  });

  return {
    drawing: {
      list: async (input) => {
        const { items, total } = await taskLists.drawings(
          { ...drawings(input), ...ofAll(input) },
          request(input),
        );
        const present = { forAdmin: true, images };
        return { items: items.map((row) => presentDrawing(row, present)), total };
      },
      listSelf: async (input, context) => {
        const filter = { ...drawings(input), userId: actorOf(context).id };
        const { items, total } = await taskLists.drawings(filter, request(input));
        const present = { forAdmin: false, images };
        return { items: items.map((row) => presentDrawing(row, present)), total };
      },
    },
    task: {
      list: async (input) => {
        const { items, total } = await taskLists.tasks(
          { ...tasks(input), ...ofAll(input) },
          request(input),
        );
        return { items: items.map((row) => presentTask(row, { forAdmin: true, videoAt })), total };
      },
      listSelf: async (input, context) => {
        const { items, total } = await taskLists.tasks(
          { ...tasks(input), userId: actorOf(context).id },
          request(input),
        );
        return { items: items.map((row) => presentTask(row, { forAdmin: false, videoAt })), total };
      },
    },
  };
}
