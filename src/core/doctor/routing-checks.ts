/** Channels, prices and the groups of tokens. */

import type { EndingModel } from '../channels/model-ends.ts';
import { dayOf } from '../kernel/clock.ts';
import type { Text } from '../kernel/text.ts';
import { isPast } from '../models/catalogue.ts';
import { readDisabledKeys } from '../vocabulary/disabled-keys.ts';
import { channelStatuses } from '../vocabulary/statuses.ts';
import { readTestError } from '../vocabulary/test-errors.ts';
import { type Check, type DoctorDeps, type Finding, nameList, problem, warning } from './check.ts';

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
      const found: Finding[] = [];
      if (enabled.length === 0)
        found.push(
          problem(
            { en: 'No channel is enabled', zh: '没有启用的渠道' },
            { en: 'Every request fails', zh: '所有请求都会失败' },
            {
              en: 'Add one with turnpike channels add, or enable one',
              zh: '请用 turnpike channels add 添加渠道，或启用已有渠道',
            },
          ),
        );
      const add = (rows: typeof all, what: Text, why: Text, mend: Text) => {
        if (rows.length === 0) return;
        found.push(
          warning(
            { en: `${what.en}: ${labels(rows)}`, zh: `${what.zh}：${labels(rows)}` },
            why,
            mend,
          ),
        );
      };
      const fewer = {
        en: 'The other channels carry their requests, if they have the models',
        zh: '请求会转到其他拥有这些模型的渠道',
      };
      add(
        all.filter(({ status }) => status === channelStatuses.autoDisabled),
        { en: 'Disabled by the gateway after failures', zh: '因故障被网关自动停用' },
        fewer,
        {
          en: 'See the reason with turnpike channels show ID, correct it and run turnpike channels test ID',
          zh: '用 turnpike channels show ID 查看原因，排除后执行 turnpike channels test ID',
        },
      );
      add(
        enabled.filter(({ testTime }) => testTime === 0),
        { en: 'Never tested', zh: '从未测试' },
        {
          en: 'A wrong key or address shows only when a customer meets it',
          zh: '密钥或地址有误时，要到客户请求才会发现',
        },
        { en: 'Run: turnpike channels test --all', zh: '请执行：turnpike channels test --all' },
      );
      add(
        enabled.filter(({ otherInfo }) => readTestError(otherInfo) !== ''),
        { en: 'Failed the last test', zh: '上次测试失败' },
        {
          en: 'Requests through them are likely to fail and to be tried again elsewhere',
          zh: '经由它们的请求很可能失败并在其他渠道重试',
        },
        {
          en: 'See the error with turnpike channels show ID',
          zh: '用 turnpike channels show ID 查看错误',
        },
      );
      add(
        enabled.filter(({ key }) => key.isUnreadable),
        { en: 'The key cannot be decrypted', zh: '密钥无法解密' },
        { en: 'They serve nothing', zh: '这些渠道无法提供服务' },
        {
          en: 'Enter the key anew with turnpike channels edit ID --key-stdin, or restore a backup',
          zh: '请用 turnpike channels edit ID --key-stdin 重新填写密钥，或从备份恢复',
        },
      );
      add(
        enabled.filter(({ id }) => isCircuitOpen(id)),
        { en: 'Circuit open', zh: '已熔断' },
        {
          en: 'The upstream fails now; requests go to other channels until it recovers',
          zh: '上游当前故障；恢复前请求会转到其他渠道',
        },
        {
          en: 'See the last errors with turnpike logs list --channel ID --type error',
          zh: '用 turnpike logs list --channel ID --type error 查看最近的错误',
        },
      );
      add(
        enabled.filter(({ otherInfo }) => readDisabledKeys(otherInfo).size > 0),
        { en: 'Some keys are disabled', zh: '部分密钥已停用' },
        {
          en: 'The remaining keys carry all requests and meet their limits sooner',
          zh: '其余密钥承担全部请求，会更早触及限额',
        },
        {
          en: 'Replace or enable them with turnpike channels keys ID',
          zh: '用 turnpike channels keys ID 更换或启用',
        },
      );
      return found;
    },
  },
  {
    id: 'prices',
    title: { en: 'Prices', zh: '价格' },
    async run({ catalog, options }) {
      const unpriced = (await catalog.listPricing())
        .filter((row) => row.unpriced)
        .map((row) => row.model_name);
      if (unpriced.length === 0 || options.get('SelfUseModeEnabled')) return [];
      return [
        warning(
          {
            en: `Models without a price: ${nameList(unpriced)}`,
            zh: `未设置价格的模型：${nameList(unpriced)}`,
          },
          { en: 'Requests for them are refused', zh: '对这些模型的请求会被拒绝' },
          {
            en: 'Set ModelRatio or ModelPrice (turnpike options set), or take them off the channels',
            zh: '请设置 ModelRatio 或 ModelPrice（turnpike options set），或从渠道中移除',
          },
        ),
      ];
    },
  },
  {
    id: 'model-ends',
    title: { en: 'Ends of models', zh: '模型下线' },
    async run({ endingModels, clock }) {
      const today = dayOf(clock.now());
      const named = (models: readonly EndingModel[]) =>
        nameList(
          models.map(({ model, ends, successor, channels }) => {
            const numbers = channels.map(({ id }) => `#${id}`).join(' ');
            return `${model} ${ends} (${numbers}${successor === undefined ? '' : ` → ${successor}`})`;
          }),
        );
      const mend = {
        en: 'Map them to their successors (turnpike channels edit ID --model-mapping), or take them off the channels',
        zh: '请映射到替代模型（turnpike channels edit ID --model-mapping），或从渠道中移除',
      };
      const all = endingModels();
      const ended = all.filter(({ ends }) => isPast(ends, today));
      const ending = all.filter(({ ends }) => !isPast(ends, today));
      return [
        ...(ended.length === 0
          ? []
          : [
              warning(
                {
                  en: `Models that their vendors have ended: ${named(ended)}`,
                  zh: `供应商已下线的模型：${named(ended)}`,
                },
                { en: 'Requests for them fail', zh: '对它们的请求会失败' },
                mend,
              ),
            ]),
        ...(ending.length === 0
          ? []
          : [
              warning(
                {
                  en: `Models that end soon: ${named(ending)}`,
                  zh: `即将下线的模型：${named(ending)}`,
                },
                {
                  en: 'Requests for them fail from that day (UTC) on',
                  zh: '自该日（UTC）起，对它们的请求会失败',
                },
                mend,
              ),
            ]),
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
          {
            en: `Tokens whose group does not exist: ${nameList(lost)}`,
            zh: `分组已不存在的令牌：${nameList(lost)}`,
          },
          { en: 'Requests with these tokens are refused', zh: '使用这些令牌的请求会被拒绝' },
          {
            en: 'Give the group a ratio in GroupRatio, or the tokens another group (turnpike tokens edit ID --group NAME)',
            zh: '请在 GroupRatio 中加入该分组，或为令牌更换分组（turnpike tokens edit ID --group NAME）',
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
    lost.push(
      ...rows
        .filter(({ group }) => !groups.has(group))
        .map(({ id, name, group }) => `#${id} ${name} (${group})`),
    );
    const last = rows.at(-1);
    if (last === undefined || rows.length < tokenBatch) return lost;
    after = last.id;
  }
}
