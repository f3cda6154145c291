/** The site as its visitors reach it, and options that contradict each other. */
import { nowSeconds } from '../kernel/clock.ts';
import { parseObject } from '../kernel/json.ts';
import { checkOptionChange, type OptionKey, optionKeys } from '../options/index.ts';
import { type Check, type DoctorDeps, type Finding, problem, warning } from './check.ts';

/** Seconds by which a Date header may differ; it has whole seconds and a way behind it. */
const dateTolerance = 30;

/** Ways to sign in, each with the option that switches it on. */
const signInOptions = [
  'PasswordLoginEnabled',
  'PasskeyLoginEnabled',
  'PhoneLoginEnabled',
  'GitHubOAuthEnabled',
  'oidc.enabled',
  'LinuxDOOAuthEnabled',
  'TelegramOAuthEnabled',
  'WeChatAuthEnabled',
] as const satisfies readonly OptionKey[];
/** Providers send browsers back to the server address; passkeys are made for its host. */
const needAddress = [
  'GitHubOAuthEnabled',
  'oidc.enabled',
  'LinuxDOOAuthEnabled',
] as const satisfies readonly OptionKey[];

export const siteChecks: readonly Check[] = [
  {
    id: 'setup',
    title: { en: 'Setup', zh: '初始化' },
    async run({ storage }) {
      if ((await storage.setups.find()) !== null) return [];
      return [
        problem(
          { en: 'The site has not been set up', zh: '站点尚未初始化' },
          {
            en: 'There is no super admin yet, and requests are refused',
            zh: '尚无超级管理员，请求会被拒绝',
          },
          {
            en: 'Open the console, or run: turnpike setup',
            zh: '请打开控制台，或执行：turnpike setup',
          },
        ),
      ];
    },
  },
  {
    id: 'options',
    title: { en: 'Options that belong together', zh: '相互依赖的设置项' },
    async run({ options }) {
      const values = options.values();
      const incomplete = (key: string, needs: string): Finding =>
        problem(
          { en: `${key} is on, but ${needs} is empty`, zh: `${key} 已启用，但 ${needs} 为空` },
          { en: 'What it switches on fails when somebody uses it', zh: '用户使用该功能时会失败' },
          {
            en: `Run: turnpike options set ${needs} VALUE, or switch ${key} off`,
            zh: `请执行：turnpike options set ${needs} VALUE，或关闭 ${key}`,
          },
        );
      const found = optionKeys.flatMap((key): readonly Finding[] => {
        const refusal = checkOptionChange(key, values[key], values);
        return refusal?.code === 'option_needs'
          ? [incomplete(key, String(refusal.params['needs']))]
          : [];
      });
      if (options.get('ServerAddress') === '')
        found.push(
          ...needAddress
            .filter((key) => options.get(key))
            .map((key) => incomplete(key, 'ServerAddress')),
        );
      // By default codes for phones are only written to the process log.
      const isSent = options.get('sms.provider') !== 'log';
      if (signInOptions.some((key) => options.get(key) && (key !== 'PhoneLoginEnabled' || isSent)))
        return found;
      return [
        ...found,
        problem(
          { en: 'No way to sign in is switched on', zh: '没有启用任何登录方式' },
          {
            en: 'Nobody can use the console, the super admin included',
            zh: '任何人都无法使用控制台，超级管理员也不例外',
          },
          {
            en: 'Run: turnpike options set PasswordLoginEnabled true',
            zh: '请执行：turnpike options set PasswordLoginEnabled true',
          },
        ),
      ];
    },
  },
  {
    id: 'server-address',
    title: { en: 'Server address', zh: '服务器地址' },
    run: examineAddress,
  },
];

const addressWhy = {
  en: 'Links in mails, sign-in by third parties, payment notices and addresses of images use it',
  zh: '邮件链接、第三方登录、支付通知与图片地址都使用它',
};
const addressMend = {
  en: 'Run: turnpike options set ServerAddress https://…, with the address that visitors use; check DNS, certificate and reverse proxy',
  zh: '请执行：turnpike options set ServerAddress https://…，填写访客使用的地址；并检查 DNS、证书与反向代理',
};

async function examineAddress({
  options,
  fetch,
  clock,
  isServing,
}: DoctorDeps): Promise<readonly Finding[]> {
  const address = options.get('ServerAddress');
  if (address === '')
    return [
      warning({ en: 'ServerAddress is empty', zh: 'ServerAddress 为空' }, addressWhy, addressMend),
    ];
  if (!isServing()) return []; // nobody answers there while the gateway is stopped
  try {
    const { ok, status, date, text } = await fetch(`${address}/api/status`);
    if (!ok || parseObject(text)?.['success'] !== true) {
      const message = {
        en: `${address} does not lead to this gateway (status ${status})`,
        zh: `${address} 未指向本网关（状态码 ${status}）`,
      };
      return [problem(message, addressWhy, addressMend)];
    }
    return clockFinding(address, date, nowSeconds(clock));
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    const message = {
      en: `${address} cannot be reached from here: ${cause}`,
      zh: `从本机无法访问 ${address}：${cause}`,
    };
    return [warning(message, addressWhy, addressMend)];
  }
}

function clockFinding(address: string, date: string | null, now: number): readonly Finding[] {
  const difference = date === null ? 0 : Math.abs(Date.parse(date) / 1000 - now);
  if (!(difference > dateTolerance)) return [];
  return [
    warning(
      {
        en: `The clock of ${address} differs from this one by ${Math.round(difference)} s`,
        zh: `${address} 的时钟与本机相差 ${Math.round(difference)} 秒`,
      },
      {
        en: 'With a wrong clock signed requests to providers, payment notices and codes of authenticator apps are refused',
        zh: '时钟有误时，发往上游的签名请求、支付通知与身份验证器的验证码会被拒绝',
      },
      {
        en: 'Run where the time is wrong: timedatectl set-ntp true',
        zh: '请在时间有误的机器上执行：timedatectl set-ntp true',
      },
    ),
  ];
}

/**
 * Compares this machine's clock with that of a channel's upstream, by a request without
 * credentials. Only when requested.
 */
export function upstreamClockCheck(channelId: number): Check {
  return {
    id: 'upstream-clock',
    title: { en: 'Clock of an upstream', zh: '上游时钟' },
    async run({ storage, baseUrlOf, fetch, clock }) {
      const channel = await storage.channels.find(channelId);
      const url = channel === null ? '' : baseUrlOf(channel);
      const unknown = (en: string, zh: string): readonly Finding[] => [
        warning(
          { en, zh },
          { en: 'The clock could not be compared', zh: '无法比较时钟' },
          {
            en: 'Name another channel with --clock-channel',
            zh: '请用 --clock-channel 指定其他渠道',
          },
        ),
      ];
      if (channel === null)
        return unknown(`There is no channel #${channelId}`, `渠道 #${channelId} 不存在`);
      if (url === '')
        return unknown(
          `Channel #${channelId} has no address of its own`,
          `渠道 #${channelId} 没有固定地址`,
        );
      const reply = await fetch(url).catch(() => undefined);
      if (reply?.date == null) return unknown(`${url} reports no time`, `${url} 未返回时间`);
      return clockFinding(url, reply.date, nowSeconds(clock));
    },
  };
}
