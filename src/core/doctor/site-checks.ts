/** The site as its visitors reach it, and options that contradict each other. */
import { nowSeconds } from '../kernel/clock.ts';
import { parseObject } from '../kernel/json.ts';
import { checkOptionChange, optionKeys } from '../options/index.ts';
import { type Check, type Finding, problem, warning } from './check.ts';

/** Seconds by which the site's Date header may differ; it has whole seconds and a way behind it. */
const dateTolerance = 30;

export const siteChecks: readonly Check[] = [
  {
    id: 'setup',
    title: { en: 'Setup', zh: '初始化' },
    async run({ storage }) {
      if ((await storage.setups.find()) !== null) return [];
      return [
        problem(
          { en: 'The site has not been set up', zh: '站点尚未初始化' },
          { en: 'Open the console, or run turnpike setup', zh: '请打开控制台，或执行 turnpike setup' },
        ),
      ];
    },
  },
  {
    id: 'options',
    title: { en: 'Options that belong together', zh: '相互依赖的设置项' },
    async run({ options }) {
      const values = options.values();
      return optionKeys.flatMap((key): readonly Finding[] => {
        const refusal = checkOptionChange(key, values[key], values);
        if (refusal?.code !== 'option_needs') return [];
        const needs = String(refusal.params['needs']);
        return [
          problem(
            { en: `${key} is on, but ${needs} is empty`, zh: `${key} 已启用，但 ${needs} 为空` },
            { en: `Set ${needs}, or switch ${key} off`, zh: `请设置 ${needs}，或关闭 ${key}` },
          ),
        ];
      });
    },
  },
  {
    id: 'server-address',
    title: { en: 'Server address', zh: '服务器地址' },
    async run({ options, fetch, clock }) {
      const address = options.get('ServerAddress');
      const mend = {
        en: 'Set ServerAddress to the address that visitors use, and check DNS, certificate and reverse proxy',
        zh: '请将 ServerAddress 设为访客使用的地址，并检查 DNS、证书与反向代理',
      };
      if (address === '')
        return [
          warning(
            {
              en: 'ServerAddress is empty: links in mails and callbacks are wrong',
              zh: 'ServerAddress 为空：邮件与回调中的链接会出错',
            },
            mend,
          ),
        ];
      try {
        const { ok, status, date, text } = await fetch(`${address}/api/status`);
        if (!ok || parseObject(text)?.['success'] !== true)
          return [
            problem(
              {
                en: `${address} does not lead to this gateway (status ${status})`,
                zh: `${address} 未指向本网关（状态码 ${status}）`,
              },
              mend,
            ),
          ];
        const difference = date === null ? 0 : Math.abs(Date.parse(date) / 1000 - nowSeconds(clock));
        if (!(difference > dateTolerance)) return [];
        return [
          warning(
            {
              en: `${address} has a clock that differs by ${Math.round(difference)} s`,
              zh: `${address} 的时钟相差 ${Math.round(difference)} 秒`,
            },
            { en: 'Synchronise the clocks by NTP', zh: '请用 NTP 同步时间' },
          ),
        ];
      } catch (error) {
        const cause = error instanceof Error ? error.message : String(error);
        return [
          warning({ en: `${address} cannot be reached from here: ${cause}`, zh: `从本机无法访问 ${address}：${cause}` }, mend),
        ];
      }
    },
  },
];
