import type { App } from '../../core/app.ts';
import type { drawingApi, taskApi } from '../../core/contract/task-logs.ts';
import { readFilters } from '../../core/entities/filters.ts';
import { drawingFilters, taskFilters } from '../../core/entities/task-filters.ts';
import { presentDrawing, presentTask } from '../../core/tasks/present-task.ts';
import { actorOf, type Handlers, pageRequest } from './context.ts';

export function taskLogHandlers(app: App): {
  drawing: Handlers<typeof drawingApi>;
  task: Handlers<typeof taskApi>;
} {
  const { taskLists } = app;
  const videoAt = (taskId: string) => app.tasks.videos.links.forConsole(taskId);
  const imageAt = (taskId: string, number: number) => app.tasks.images.linkTo(taskId, number);
  const images = app.tasks.drawingImages;
  const request = ({ p, page_size }: { p: number; page_size: number }) =>
    pageRequest(p, page_size, 0);

  return {
    drawing: {
      list: async (input) => {
        const filter = readFilters(drawingFilters, input);
        const { items, total } = await taskLists.drawings(filter, request(input));
        const present = { forAdmin: true, images };
        return { items: items.map((row) => presentDrawing(row, present)), total };
      },
      listSelf: async (input, context) => {
        const filter = {
          ...readFilters(drawingFilters, input, 'owner'),
          userId: actorOf(context).id,
        };
        const { items, total } = await taskLists.drawings(filter, request(input));
        const present = { forAdmin: false, images };
        return { items: items.map((row) => presentDrawing(row, present)), total };
      },
      removeSelf: async ({ id }, context) => {
        await app.tasks.remove.drawing(actorOf(context).id, id);
      },
    },
    task: {
      list: async (input) => {
        const filter = readFilters(taskFilters, input);
        const { items, total } = await taskLists.tasks(filter, request(input));
        return {
          items: items.map((row) => presentTask(row, { forAdmin: true, videoAt, imageAt })),
          total,
        };
      },
      listSelf: async (input, context) => {
        const filter = { ...readFilters(taskFilters, input, 'owner'), userId: actorOf(context).id };
        const { items, total } = await taskLists.tasks(filter, request(input));
        return {
          items: items.map((row) => presentTask(row, { forAdmin: false, videoAt, imageAt })),
          total,
        };
      },
      removeSelf: async ({ id }, context) => {
        await app.tasks.remove.task(actorOf(context).id, id);
      },
    },
  };
}
