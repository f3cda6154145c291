import { isBuiltOption, type OptionKey, type OptionValues, optionDefinition, optionKeys } from './registry.ts';
import type { ServerStatus } from './server-status.ts';

/** What the status object tells besides options. */
export interface StatusFacts {
  readonly version: string;
  /** Unix seconds at which the process began. */
  readonly startTime: number;
  readonly isSetUp: boolean;
  readonly port: number;
  /** The family's BATCH_UPDATE_ENABLED; statistics are always batched here. */
  readonly batchUpdate?: boolean;
}

/** The object of GET /api/status (console-api 1.3). A switch whose feature is not built reads false, whatever an import stored. */
export function serverStatus(options: OptionValues, facts: StatusFacts): ServerStatus {
  const fromOptions: Record<string, unknown> = {};
  for (const key of optionKeys) {
    const { status, kind } = optionDefinition(key);
    if (status !== undefined)
      fromOptions[status] = kind === 'boolean' ? options[key] === true && isBuiltOption(key) : options[key];
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
    enable_online_topup: epay || wechatPay,
    enable_epay: epay,
    enable_wechat_pay: wechatPay,
    enable_batch_update: facts.batchUpdate ?? false,
  };
}

function isComplete(options: OptionValues, keys: readonly OptionKey[]): boolean {
  return keys.every((key) => isBuiltOption(key) && options[key] !== '');
}
