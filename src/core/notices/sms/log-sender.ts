import type { Logger } from '../../kernel/logger.ts';
import type { SmsSender } from './sms-sender.ts';

/** Writes codes to the process log, so that phone login can be tried without a provider. */
export function createLogSender(logger: Logger): SmsSender {
  return {
    isConfigured: () => true,
    send: async ({ phone, code, minutes }) => {
      logger.info(
        { phone, code, minutes },
        'code for a phone; no provider of text messages is set',
      );
      return '';
    },
  };
}
