/** Channels, prices and the groups of tokens. */

import { readDisabledKeys } from '../vocabulary/disabled-keys.ts';
import { channelStatuses } from '../vocabulary/statuses.ts';
import { readTestError } from '../vocabulary/test-errors.ts';
import { type Check, type DoctorDeps, nameList, problem, warning } from './check.ts';

/** Tokens that are read at once. */
const tokenBatch = 1000;

export const routingChecks: readonly Check[] = [
  {
    id: 'channels',
    title: { en: 'Channels', zh: '渠道' },
    async run({ storage, isCircuitOpen }) {
      const all = await storage.channels.listAll();
      const enabled = all.filter(({ status }) => status === channelStatuses.enabled);
      const labels = (rows: typeof all) => nameList(rows.map(({ id, name }) => `#${id} ${name}`));
      const found = [];
      if (enabled.length === 0)
        found.push(
          problem(
            { en: 'No channel is enabled: every request fails', zh: '没有启用的渠道：所有请求都会失败' },
            {
              en: 'Add one with turnpike channels add, or enable one',
              zh: '请用 turnpike channels add 添加渠道，或启用已有渠道',
            },
          ),
        );
      const add = (rows: typeof all, en: string, zh: string, mendEn: string, mendZh: string) => {
        if (rows.length === 0) return;
        found.push(warning({ en: `${en}: ${labels(rows)}`, zh: `${zh}：${labels(rows)}` }, { en: mendEn, zh: mendZh }));
      };
      add(
        all.filter(({ status }) => status === channelStatuses.autoDisabled),
        'Disabled by the gateway after failures',
        '因故障被网关自动停用',
        'See the reason with turnpike channels show, correct it and run turnpike channels test',
        '用 turnpike channels show 查看原因，排除后执行 turnpike channels test',
      );
      add(
        enabled.filter(({ testTime }) => testTime === 0),
        'Never tested',
        '从未测试',
        'Run turnpike channels test --all',
        '请执行 turnpike channels test --all',
      );
      add(
        enabled.filter(({ otherInfo }) => readTestError(otherInfo) !== ''),
        'Failed the last test',
        '上次测试失败',
        'See the error with turnpike channels show ID',
        '用 turnpike channels show ID 查看错误',
      );
      add(
        enabled.filter(({ id }) => isCircuitOpen(id)),
        'Circuit open',
        '已熔断',
        'The upstream fails now; requests go to other channels until it recovers',
        '上游当前故障；恢复前请求会转到其他渠道',
      );
      add(
        enabled.filter(({ otherInfo }) => readDisabledKeys(otherInfo).size > 0),
        'Some keys are disabled',
        '部分密钥已停用',
        'Replace or enable them with turnpike channels keys ID',
        '用 turnpike channels keys ID 更换或启用',
      );
      return found;
    },
  },
  {
    id: 'prices',
    title: { en: 'Prices', zh: '价格' },
    async run({ catalog, options }) {
      const unpriced = (await catalog.listPricing()).filter((row) => row.unpriced).map((row) => row.model_name);
      if (unpriced.length === 0 || options.get('SelfUseModeEnabled')) return [];
      return [
        warning(
          { en: `Models without a price: ${nameList(unpriced)}`, zh: `未设置价格的模型：${nameList(unpriced)}` },
          {
            en: 'Requests for them are refused: set ModelRatio or ModelPrice, or take them off the channels',
            zh: '对这些模型的请求会被拒绝：请设置 ModelRatio 或 ModelPrice，或从渠道中移除',
          },
        ),
      ];
    },
  },
  {
    id: 'token-groups',
    title: { en: 'Groups of tokens', zh: '令牌分组' },
    async run(deps) {
      const lost = await tokensOfLostGroups(deps);
      if (lost.length === 0) return [];
      return [
        warning(
          { en: `Tokens whose group does not exist: ${nameList(lost)}`, zh: `分组已不存在的令牌：${nameList(lost)}` },
          {
            en: 'Give the group a ratio in GroupRatio, or the tokens another group',
            zh: '请在 GroupRatio 中加入该分组，或为令牌更换分组',
          },
        ),
      ];
    },
  },
];

async function tokensOfLostGroups({ storage, catalog }: DoctorDeps): Promise<readonly string[]> {
  const groups = new Set(['', ...catalog.groupNames()]);
  const lost: string[] = [];
  for (let after = 0; ; ) {
    const rows = await storage.tokens.listAfter(after, tokenBatch);
    lost.push(...rows.filter(({ group }) => !groups.has(group)).map(({ id, name, group }) => `#${id} ${name} (${group})`));
    const last = rows.at(-1);
    if (last === undefined || rows.length < tokenBatch) return lost;
    after = last.id;
  }
}
