/** Codes sent to phones, and how often they are sent (docs/rules/accounts.md#phone-codes). */
import type { Cluster } from '../../cluster/cluster.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Ids } from '../../kernel/ids.ts';
import { networkOf } from '../../kernel/network.ts';
import { homePrefix, toE164 } from '../../kernel/phone-number.ts';
import type { TextMessages } from '../../notices/sms/sms.ts';
import type { OptionStore } from '../../site/option-store.ts';
import { phoneCodeMinutes, sixDigits, type VerificationCodes } from '../verification-codes.ts';

export interface PhoneCodesDeps {
  readonly codes: VerificationCodes;
  readonly sms: TextMessages;
  readonly options: Pick<OptionStore, 'get'>;
  readonly cluster: Pick<Cluster, 'counter' | 'slidingLog'>;
  readonly ids: Ids;
}

export interface PhoneCodes {
  /** Seconds between two codes to a number, which clients count down. */
  readonly pauseSeconds: number;
  /** A number that codes may be sent to, in E.164. Throws AppError phone_invalid. */
  readNumber(text: string): string;
  /**
   * Sends a code to a number in E.164. `subject`: who may use it; for purpose `phone` the number.
   * Throws AppError sms_too_soon and sms_limit with the seconds to wait, sms_not_configured,
   * sms_failed.
   */
  send(purpose: 'phone' | 'second-step', subject: string, phone: string, ip: string): Promise<void>;
}

const pauseSeconds = 60;
const hour = 3_600_000;
const day = 24 * hour;

export function createPhoneCodes({
  codes,
  sms,
  options,
  cluster,
  ids,
}: PhoneCodesDeps): PhoneCodes {
  const pauses = cluster.counter('phone-codes.pause');
  const sent = cluster.slidingLog('phone-codes.sent');
  const limitsOf = (phone: string, ip: string) => [
    { key: `hour:${phone}`, ms: hour, limit: 5 },
    { key: `day:${phone}`, ms: day, limit: 10 },
    { key: `address:${networkOf(ip)}`, ms: hour, limit: 20 },
    { key: 'all', ms: day, limit: options.get('sms.daily_cap') },
  ];

  /**
   * Counts only what is then sent, so that one who is refused does not use up the limits of others.
   */
  const count = async (phone: string, ip: string): Promise<void> => {
    const limits = limitsOf(phone, ip);
    for (const { key, ms, limit } of limits) {
      const waitMs = limit === 0 ? ms : (await sent.wait(key, ms, limit)).waitMs;
      if (waitMs > 0) throw tooMany(waitMs);
    }
    const { count: inPause, remainingMs } = await pauses.increment(phone, pauseSeconds * 1000);
    if (inPause > 1) throw new AppError('sms_too_soon', { seconds: Math.ceil(remainingMs / 1000) });
    for (const { key, ms, limit } of limits) {
      const { waitMs } = await sent.take(key, ms, limit);
      if (waitMs > 0) throw tooMany(waitMs);
    }
  };

  return {
    pauseSeconds,
    readNumber: (text) => {
      const phone = toE164(text);
      const isAllowed =
        phone !== undefined &&
        options.get('sms.allowed_prefixes').some((prefix) => phone.startsWith(prefix));
      if (!isAllowed) throw new AppError('phone_invalid', { field: 'phone', prefix: homePrefix });
      return phone;
    },
    send: async (purpose, subject, phone, ip) => {
      sms.checkConfigured();
      await count(phone, ip);
      const code = sixDigits(ids);
      await codes.store(purpose, subject, code);
      try {
        await sms.sendCode(phone, code, phoneCodeMinutes);
      } catch (error) {
        // May be tried again at once; it stays in the counts by hour and day.
        await pauses.reset(phone);
        throw error;
      }
    },
  };
}

function tooMany(ms: number): AppError {
  return new AppError('sms_limit', {
    seconds: Math.ceil(ms / 1000),
    minutes: Math.ceil(ms / 60_000),
  });
}
