import { z } from '../../kernel/zod.ts';
import {
  addressOption,
  booleanOption,
  choiceOption,
  integerOption,
  listOption,
  secretOption,
  textOption,
} from '../define.ts';
import { because } from '../rules.ts';

const smtp = { panel: 'system.smtp' } as const;
const sms = { panel: 'system.sms' } as const;
const accessKey = [
  'sms.sign_name',
  'sms.template_code',
  'sms.access_key_id',
  'sms.access_key_secret',
] as const;
const messages = { panel: 'system.messages' } as const;

/** E-mail, text messages and the message pusher. */
export const emailOptions = {
  EmailVerificationEnabled: booleanOption({
    ...smtp,
    default: false,
    status: 'email_verification',
    needs: ['SMTPServer'],
  }),
  SMTPServer: textOption({ ...smtp, default: '' }),
  /** 465 forces TLS from the first byte. */
  SMTPPort: integerOption({ ...smtp, default: 587, bounds: { min: 1, max: 65_535 } }),
  SMTPAccount: textOption({ ...smtp, default: '' }),
  SMTPFrom: textOption({ ...smtp, default: '' }),
  SMTPToken: secretOption(smtp),
  SMTPSSLEnabled: booleanOption({ ...smtp, default: false }),

  PhoneLoginEnabled: booleanOption({ ...sms, default: true, status: 'phone_login' }),
  PhoneSecondFactorEnabled: booleanOption({ ...sms, default: false }),
  /** `log` writes codes to the process log (docs/rules/notices.md#text-messages). */
  'sms.provider': choiceOption({
    ...sms,
    default: 'log',
    choices: ['log', 'webhook', 'aliyun', 'tencent'],
    needsFor: {
      webhook: ['sms.webhook_url', 'sms.webhook_secret'],
      aliyun: accessKey,
      tencent: [...accessKey, 'sms.app_id', 'sms.region'],
    },
  }),
  'sms.webhook_url': addressOption({ ...sms, default: '', strip: false }),
  'sms.webhook_secret': secretOption(sms),
  'sms.sign_name': textOption({ ...sms, default: '' }),
  'sms.template_code': textOption({ ...sms, default: '' }),
  /** The template's variables in their order. */
  'sms.template_params': listOption({
    ...sms,
    default: ['code'],
    separator: ',',
    entry: z.enum(['code', 'minutes'], because('rule.choice')),
  }),
  /** SmsSdkAppId and region of Tencent Cloud. */
  'sms.app_id': textOption({ ...sms, default: '' }),
  'sms.region': textOption({ ...sms, default: 'ap-guangzhou' }),
  'sms.access_key_id': textOption({ ...sms, default: '' }),
  'sms.access_key_secret': secretOption(sms),
  'sms.allowed_prefixes': listOption({
    ...sms,
    default: ['+86'],
    separator: ',',
    entry: z.string().regex(/^\s*(\+\d{1,4})?\s*$/, because('rule.prefix')),
  }),
  'sms.daily_cap': integerOption({ ...sms, default: 1000, bounds: { min: 0 } }),

  MessagePusherAddress: addressOption({ ...messages, default: '' }),
  MessagePusherToken: secretOption(messages),
};
