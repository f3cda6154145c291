/** For each declared option a text that differs from its default, and texts that it must refuse. */
import { generateKeyPairSync } from 'node:crypto';
import {
  type OptionKey,
  optionDefinition,
  optionRegistry,
  writeOption,
} from '../../src/core/options/index.ts';

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** Options whose check says more than their kind. */
const samples: Readonly<Partial<Record<OptionKey, string>>> = {
  Chats: '[{"Client":"https://chat.example/#/?key={key}&url={address}"}]',
  GroupGroupRatio: '{"vip":{"default":0.5}}',
  UserUsableGroups: '{"default":"Default","gold":"Gold"}',
  TopUpCodes: '{"SPRING":0.8}',
  ModelPriceDetails: '{"gpt-6-sol":{"steps":[{"above":1000,"input":2,"output":1.5}]}}',
  'price_sync.followed': '{"gpt-4o":{"source":"litellm","margin":1.2,"save":true}}',
  'model_sync.learned': '{"rules":[],"rows":[{"name":"m"}]}',
  'model_sync.signer': `${'A'.repeat(43)}=`,
  VideoRatios: '{"wan":{"720P":1.5}}',
  'gemini.safety_settings': '{"default":"BLOCK_NONE"}',
  'gemini.version_settings': '{"default":"v1"}',
  'claude.model_headers_settings': '{"claude-sonnet-4-5":{"anthropic-beta":["one","two"]}}',
  'claude.default_max_tokens': '{"default":4096}',
  'sms.allowed_prefixes': '+86,+852',
  'sms.template_params': 'minutes,code',
  'WechatPay.PrivateKey': keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  'WechatPay.PublicKey': keys.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  'WechatPay.APIv3Key': '0123456789abcdef0123456789abcdef',
};

/** What the kinds alone do not refuse. */
const furtherRefused: Readonly<Partial<Record<OptionKey, readonly string[]>>> = {
  Chats: [
    '{}',
    '[{"a":"https://a.example","b":"https://b.example"}]',
    '[{"x":"javascript:alert(1)"}]',
    '[{"x":"\\u0001data:,x"}]',
  ],
  TopupGroupRatio: ['{"default":0}'],
  TopUpCodes: ['{"SPRING":1.2}', '{"SPRING":0}'],
  GroupRatio: ['{"default":-1}'],
  ModelRatio: ['{"m":-1}', '{"m":10000000}'],
  'claude.default_max_tokens': ['{"default":0}', '{"default":1.5}'],
  'claude.model_headers_settings': ['{"m":{"bad name":["x"]}}', '{"m":{"name":["line\\nbreak"]}}'],
  'sms.allowed_prefixes': ['86', '+86,china'],
  'WechatPay.PrivateKey': ['not a key!', 'bm90IGEga2V5'],
  'WechatPay.PublicKey': ['not a key'],
  'WechatPay.APIv3Key': ['too short'],
  'WechatPay.NotifyUrl': ['http://pay.example/notify', 'https://pay.example/notify?x=1'],
};

const longerThanAllowed = 'x'.repeat(1024 * 1024 + 1);

/** Whether the option takes only addresses. */
const isAddress = (key: OptionKey) => !optionDefinition(key).schema.safeParse('no address').success;

/** A text that the option accepts and writes back as it is; not its default. */
export function sampleOf(key: OptionKey): string {
  const { kind, choices, bounds, separator, default: preset } = optionDefinition(key);
  const chosen = samples[key];
  if (chosen !== undefined) return chosen;
  if (choices !== undefined) return choices.find((choice) => choice !== preset) ?? '';
  switch (kind) {
    case 'boolean':
      return String(preset !== true);
    case 'integer':
    case 'decimal': {
      const { max = Number.MAX_SAFE_INTEGER } = bounds ?? {};
      const step = kind === 'integer' ? 1 : 0.125;
      return String(Number(preset) + step <= max ? Number(preset) + step : Number(preset) - step);
    }
    case 'list':
      return ['first.example', 'second.example'].join(separator);
    case 'json':
      return '{"sample":1.25}';
    case 'text':
      return isAddress(key) ? 'https://sample.example/path' : `sample of ${key}`;
  }
}

/** Texts of each wrong kind, or outside of the bounds. */
export function refusedBy(key: OptionKey): readonly string[] {
  const { kind, choices, bounds } = optionDefinition(key);
  return [
    ...refusedByKind(key, kind, choices !== undefined),
    ...outside(bounds ?? {}),
    ...(furtherRefused[key] ?? []),
  ];
}

function refusedByKind(key: OptionKey, kind: string, isChoice: boolean): readonly string[] {
  // An empty text keeps a secret (docs/rules/options.md#secrets).
  const empty = optionDefinition(key).exposure === 'secret' ? [] : [''];
  switch (kind) {
    case 'boolean':
      return [...empty, 'maybe', '1', 'null', '{}'];
    case 'integer':
      return [...empty, 'many', '1.5', 'NaN', 'Infinity', '0x10', '1e3', '[1]', 'true'];
    case 'decimal':
      return [...empty, 'many', 'NaN', 'Infinity', '0x10', '{"a":1}', 'true'];
    case 'json':
      return [
        ...empty,
        '{broken',
        '{"a":1,}',
        'true',
        '12',
        '"text"',
        '{"a":[{}]}',
        '{"a":null}',
        '{"a":"1"',
        '[1,2]',
      ];
    case 'list':
      return [longerThanAllowed];
    default: {
      if (isChoice) return ['', 'nothing of the kind'];
      if (key === 'WechatPay.NotifyUrl' || !isAddress(key)) return [longerThanAllowed];
      return [
        'sample.example',
        'ftp://sample.example',
        'javascript:alert(1)',
        'http://',
        longerThanAllowed,
      ];
    }
  }
}

function outside({
  min,
  max,
  above,
}: {
  min?: number;
  max?: number;
  above?: number;
}): readonly string[] {
  return [
    ...(min === undefined ? [] : [String(min - 1)]),
    ...(above === undefined ? [] : [String(above)]),
    ...(max === undefined ? [] : [String(max + 1)]),
  ];
}

/** The default as the API writes it. */
export function defaultTextOf(key: OptionKey): string {
  return writeOption(key, optionRegistry[key].default);
}
