import {
  addressOption,
  decimalOption,
  integerOption,
  jsonOption,
  secretOption,
  textOption,
} from '../define.ts';
import { because, discountMap, isHttpUrl, plainText, positiveMap } from '../rules.ts';

const epay = { panel: 'system.payment' } as const;
const wechatPay = { panel: 'system.wechat-pay' } as const;

/** PEM or bare base64 of an RSA key; whether it parses is checked before it is used. */
const looksLikeKey =
  /^(-----BEGIN (RSA )?PRIVATE KEY-----)?[\sA-Za-z0-9+/=]+(-----END (RSA )?PRIVATE KEY-----)?\s*$/;

/**
 * Top-ups (docs/rules/payments.md#top-up-settings). Payment methods need the option ServerAddress.
 */
export const paymentOptions = {
  /** Yuan per currency unit, also used to display prices in yuan. */
  Price: decimalOption({
    ...epay,
    default: 7.3,
    bounds: { above: 0, max: 1_000_000 },
    status: 'price',
  }),
  TopUpLink: addressOption({
    panel: 'operation.general',
    default: '',
    strip: false,
    status: 'top_up_link',
  }),
  MinTopUp: integerOption({ ...epay, default: 1, bounds: { min: 1 }, status: 'min_topup' }),
  PayAddress: addressOption({ ...epay, default: '', shown: true, needs: ['ServerAddress'] }),
  CustomCallbackAddress: addressOption({ ...epay, default: '' }),
  EpayId: textOption({ ...epay, default: '' }),
  EpayKey: secretOption(epay),
  TopupGroupRatio: jsonOption({
    ...epay,
    schema: positiveMap,
    default: { default: 1, vip: 1, svip: 1 },
  }),
  TopUpCodes: jsonOption({ ...epay, schema: discountMap, default: {} }),

  'WechatPay.MchID': textOption({ ...wechatPay, default: '', needs: ['ServerAddress'] }),
  'WechatPay.AppID': textOption({ ...wechatPay, default: '' }),
  'WechatPay.CertSerialNumber': textOption({ ...wechatPay, default: '' }),
  'WechatPay.PrivateKey': secretOption({
    ...wechatPay,
    multiline: true,
    schema: plainText.refine(
      (key) => key === '' || looksLikeKey.test(key),
      because('rule.privateKey'),
    ),
  }),
  'WechatPay.APIv3Key': secretOption({
    ...wechatPay,
    schema: plainText.refine(
      (key) => key === '' || new TextEncoder().encode(key).length === 32,
      because('rule.bytes32'),
    ),
  }),
  'WechatPay.PublicKeyID': textOption({ ...wechatPay, default: '' }),
  'WechatPay.PublicKey': secretOption({ ...wechatPay, multiline: true }),
  'WechatPay.NotifyUrl': textOption({
    ...wechatPay,
    default: '',
    schema: plainText
      .trim()
      .refine(
        (text) => text === '' || (isHttpUrl(text) && /^https:[^?#]*$/i.test(text)),
        because('rule.https'),
      ),
  }),
};
