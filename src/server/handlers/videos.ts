import type { App } from '../../core/app.ts';
import type { videoApi } from '../../core/contract/video.ts';
import { actorOf, type Handlers, pageRequest } from './context.ts';

export function videoHandlers({ tasks: { videos } }: App): Handlers<typeof videoApi> {
  return {
    list: async ({ pageNum, pageSize }, context) => {
      const { items, total } = await videos.page(
        actorOf(context).id,
        pageRequest(pageNum, pageSize),
      );
      return { data: items, total, pageNum, pageSize };
    },
    get: async ({ task_id: id }, context) => {
      const data = videos.present(await videos.find(actorOf(context).id, id));
      const { status, video_url, fail_reason } = data;
      const output = { task_id: data.task_id, task_status: status, video_url };
      return { data, task_status: status, status, video_url, fail_reason, output };
    },
  };
}
