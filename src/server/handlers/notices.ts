import type { App } from '../../core/app.ts';
import { Reply } from '../../core/contract/envelope.ts';
import type { noticeApi } from '../../core/contract/notice.ts';
import { translate } from '../../core/i18n/translate.ts';
import { actorOf, type Handlers } from './context.ts';

export function noticeHandlers({ notices }: App): Handlers<typeof noticeApi> {
  return {
    sendTest: async (_input, context) => {
      await notices.sendTest(actorOf(context).id, context.language);
      return new Reply(undefined, translate(context.language, 'reply.test_notice_sent'));
    },
  };
}
