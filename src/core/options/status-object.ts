import { textMark } from '../kernel/text-mark.ts';
import { isBuiltOption } from './facts.ts';
import { type OptionKey, type OptionValues, optionDefinition, optionKeys } from './registry.ts';
import type { ServerStatus } from './server-status.ts';

/** The fields of the status object that are not options. */
export interface StatusFacts {
  readonly version: string;
  /** Unix seconds at which the process started. */
  readonly startTime: number;
  readonly isSetUp: boolean;
  readonly port: number;
  /** BATCH_UPDATE_ENABLED of One API / New API. This gateway always batches statistics. */
  readonly batchUpdate?: boolean;
}

/**
 * The object of GET /api/status (docs/rules/options.md#server-status). The flag of a feature that
 * is not built is false, even if an import stored true.
 */
export function serverStatus(options: OptionValues, facts: StatusFacts): ServerStatus {
  const fromOptions: Record<string, unknown> = {};
  for (const key of optionKeys) {
    const { status, kind } = optionDefinition(key);
    if (status !== undefined)
      fromOptions[status] =
        kind === 'boolean' ? options[key] === true && isBuiltOption(key) : options[key];
  }
  const epay = isComplete(options, ['PayAddress', 'EpayId', 'EpayKey']);
  const wechatPay = isComplete(options, [
    'WechatPay.MchID',
    'WechatPay.AppID',
    'WechatPay.CertSerialNumber',
    'WechatPay.PrivateKey',
    'WechatPay.APIv3Key',
  ]);
  return {
    ...(fromOptions as unknown as ServerStatus),
    server_address: options.ServerAddress || `http://localhost:${facts.port}`,
    version: facts.version,
    start_time: facts.startTime,
    setup: facts.isSetUp,
    notice_id: textMark(options.Notice.trim()),
    has_home_page: options.HomePageContent.trim() !== '',
    enable_online_topup: epay || wechatPay,
    enable_epay: epay,
    enable_wechat_pay: wechatPay,
    sms_delivery: options['sms.provider'] !== 'log',
    enable_batch_update: facts.batchUpdate ?? false,
  };
}

function isComplete(options: OptionValues, keys: readonly OptionKey[]): boolean {
  return keys.every((key) => isBuiltOption(key) && options[key] !== '');
}
