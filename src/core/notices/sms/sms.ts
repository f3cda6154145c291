/**
 * Text messages with codes, through the provider of the site's options
 * (docs/rules/notices.md#text-messages).
 */
import type { Config } from '../../config/schema.ts';
import type { Clock } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/logger.ts';
import { maskPhone } from '../../kernel/phone-number.ts';
import type { OptionStore } from '../../site/option-store.ts';
import type { Upstream } from '../../upstream/send.ts';
import { createAliyunSender } from './aliyun-sender.ts';
import { createLogSender } from './log-sender.ts';
import type { SmsSender } from './sms-sender.ts';
import { createTencentSender } from './tencent-sender.ts';
import { createWebhookSender } from './webhook-sender.ts';

export interface TextMessages {
  /** Throws AppError sms_not_configured. */
  checkConfigured(): void;
  /** `phone` in E.164. Throws AppError sms_not_configured, sms_failed. */
  sendCode(phone: string, code: string, minutes: number): Promise<void>;
  /** Warns in the log while codes of phone logins only reach the log. */
  warnOfLogSender(): void;
}

export interface TextMessagesDeps {
  readonly options: Pick<OptionStore, 'get'>;
  readonly upstream: Pick<Upstream, 'collect' | 'deliver'>;
  readonly config: Pick<Config, 'aliyunSmsEndpoint' | 'tencentSmsEndpoint'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
}

/** Milliseconds. */
const timeout = 5000;

export function createTextMessages(deps: TextMessagesDeps): TextMessages {
  const { options, logger } = deps;
  const senders: Readonly<Record<ReturnType<typeof provider>, SmsSender>> = {
    log: createLogSender(logger),
    webhook: createWebhookSender(deps),
    aliyun: createAliyunSender(deps),
    tencent: createTencentSender(deps),
  };
  function provider() {
    return options.get('sms.provider');
  }
  const requireSender = (): SmsSender => {
    const sender = senders[provider()];
    if (!sender.isConfigured()) throw new AppError('sms_not_configured');
    return sender;
  };

  return {
    checkConfigured: () => void requireSender(),
    sendCode: async (phone, code, minutes) => {
      const sender = requireSender();
      const facts = { provider: provider(), phone: maskPhone(phone) };
      try {
        const id = await sender.send({ phone, code, minutes }, AbortSignal.timeout(timeout));
        logger.info({ ...facts, id }, 'a text message with a code was sent');
      } catch (error) {
        logger.error({ ...facts, error }, 'a text message with a code could not be sent');
        throw new AppError('sms_failed', {}, { cause: error });
      }
    },
    warnOfLogSender: () => {
      if (options.get('PhoneLoginEnabled') && provider() === 'log')
        logger.warn(
          { option: 'sms.provider' },
          'codes of phone logins are written to this log and not sent to phones',
        );
    },
  };
}
