/**
 * `turnpike nodes`: the gateways that serve the site, and how one is taken out of use
 * (docs/rules/process.md#nodes, #drain).
 */
import type { OutputOf } from '../../core/contract/endpoint.ts';
import { api } from '../../core/contract/index.ts';
import { UsageError } from '../base/usage-error.ts';
import { type Argument, type Command, type Context, command, done } from '../command/command.ts';
import { printTable } from '../show/table.ts';
import { formatTime } from '../show/times.ts';
import { waitUntilEmpty } from './nodes-wait.ts';

const { nodes } = api;
type Node = OutputOf<typeof nodes.list>[number];

const nodeArgument: Argument = {
  name: 'node',
  kind: 'text',
  summary: {
    en: 'Its address, its machine, or the beginning of its id',
    zh: '网关的地址、主机名或编号开头',
  },
};

/** The gateway that the text names. Workers behind one port are one. */
function findNode(found: readonly Node[], text: string): Node {
  const named = found.filter(
    ({ id, host, address }) => text === address || text === host || id.startsWith(text),
  );
  const [node] = named;
  if (node === undefined) throw new UsageError(texts.unknown, { text });
  const others = named.filter((one) => placeOf(one) !== placeOf(node));
  if (others.length > 0)
    throw new UsageError(texts.several, {
      text,
      ids: named.map(({ id, address }) => `${id.slice(0, 8)} (${address})`).join(', '),
    });
  return node;
}

const placeOf = ({ host, address, data_dir: folder }: Node): string =>
  [host, address, folder.replace(/ #\d+$/, '')].join(' ');

async function drain(context: Context) {
  const { values, output } = context;
  const found = await context.call(nodes.list, {});
  const node = findNode(found, context.arguments['node'] ?? '');
  const stops = values.on('stop');
  const drained = await context.call(nodes.drain, { node: node.id, stop: stops });
  const ids = new Set(drained.map(({ id }) => id));
  if (!found.some(({ id, state }) => !ids.has(id) && state === 'serving'))
    output.note(texts.last, {}, 'warn');
  const { address } = node;
  if (!values.on('wait'))
    return done(stops ? texts.stopping : texts.draining, { address }, drained);
  const left = await waitUntilEmpty(context, ids, { address, stops });
  return done(stops ? texts.stopped : texts.empty, { address }, left);
}

export const nodeCommands: readonly Command[] = [
  command({
    name: 'nodes',
    summary: {
      en: 'List the gateways that serve this site',
      zh: '列出为本站点提供服务的网关',
    },
    details: {
      en: 'Gateways of one PostgreSQL announce themselves every ten seconds; one that was not seen for half a minute is not listed. Without a common Redis, limits count for each alone and changes arrive up to five seconds late.',
      zh: '使用同一 PostgreSQL 的网关每十秒登记一次；半分钟未登记的不再列出。若未共享 Redis，限流各自计算，变更最多延迟五秒生效。',
    },
    async run(context) {
      const found = await context.call(nodes.list, {});
      return {
        json: { items: found, total: found.length },
        async print(output, view) {
          const { now } = await view();
          printTable(
            output,
            [
              { title: { en: 'id', zh: '编号' }, value: (row) => row.id.slice(0, 8) },
              { title: { en: 'machine', zh: '主机' }, value: (row) => row.host },
              { title: { en: 'address', zh: '地址' }, value: (row) => row.address },
              { title: { en: 'version', zh: '版本' }, value: (row) => row.version },
              {
                title: { en: 'since', zh: '启动时间' },
                value: (row) => formatTime(row.started_at, now),
              },
              {
                title: { en: 'state', zh: '状态' },
                value: (row) =>
                  output.localize(row.stopping ? texts.state.stopping : texts.state[row.state]),
                tone: (row) => (row.state === 'serving' ? 'plain' : 'warn'),
              },
              {
                title: { en: 'under way', zh: '进行中' },
                value: (row) => String(row.under_way),
                align: 'right',
              },
              {
                title: { en: 'Redis', zh: 'Redis' },
                value: (row) =>
                  output.localize(
                    row.this ? texts.answers : row.shared ? texts.shared : texts.separate,
                  ),
                tone: (row) => (row.shared ? 'plain' : 'error'),
              },
            ],
            found,
            await view(),
          );
        },
      };
    },
  }),
  command({
    name: 'nodes drain',
    summary: {
      en: 'Take a gateway out of use: it takes nothing new and finishes what is under way',
      zh: '让网关停止接收新请求，并完成进行中的请求',
    },
    details: {
      en: 'Its /readyz says 503, so that load balancers leave it; requests that still reach it are served. It is empty once nothing is under way and nothing has come for ten seconds. All workers behind its port are drained together.',
      zh: '其 /readyz 返回 503，负载均衡随之不再转发；仍到达的请求照常处理。没有进行中的请求且十秒内无新请求时即为空闲。同一端口后的所有工作进程一并处理。',
    },
    arguments: [nodeArgument],
    flags: [
      {
        name: 'stop',
        kind: 'switch',
        summary: { en: 'It ends as soon as it is empty', zh: '空闲后立即停止' },
      },
      {
        name: 'wait',
        kind: 'switch',
        summary: {
          en: 'Return only when it is empty, or with --stop when it has ended',
          zh: '等到空闲后再返回；与 --stop 同用时等到其停止',
        },
      },
    ],
    run: drain,
  }),
  command({
    name: 'nodes resume',
    summary: {
      en: 'Let a gateway that was drained take work again',
      zh: '让已停止接收请求的网关恢复服务',
    },
    arguments: [nodeArgument],
    async run(context) {
      const found = await context.call(nodes.list, {});
      const { id, address } = findNode(found, context.arguments['node'] ?? '');
      const resumed = await context.call(nodes.resume, { node: id });
      return done(texts.resumed, { address }, resumed);
    },
  }),
];

const texts = {
  answers: { en: 'this one', zh: '本网关' },
  shared: { en: 'shared', zh: '已共享' },
  separate: { en: 'not shared', zh: '未共享' },
  state: {
    serving: { en: 'serving', zh: '服务中' },
    draining: { en: 'draining', zh: '排空中' },
    empty: { en: 'empty', zh: '已空闲' },
    stopping: { en: 'stopping', zh: '停止中' },
  },
  unknown: {
    en: 'No gateway that runs is named {text}; turnpike nodes lists them',
    zh: '没有名为 {text} 的运行中网关；可用 turnpike nodes 查看',
  },
  several: {
    en: '{text} names several gateways; use the id of one: {ids}',
    zh: '{text} 对应多个网关，请使用其中一个的编号：{ids}',
  },
  last: {
    en: 'No other gateway takes requests at present',
    zh: '目前没有其他网关接收请求',
  },
  draining: {
    en: '{address} takes nothing new; turnpike nodes shows what is under way',
    zh: '{address} 已停止接收新请求；可用 turnpike nodes 查看进行中的数量',
  },
  stopping: {
    en: '{address} takes nothing new and ends as soon as it is empty',
    zh: '{address} 已停止接收新请求，空闲后将停止',
  },
  empty: { en: '{address} is empty', zh: '{address} 已空闲' },
  stopped: { en: '{address} has ended', zh: '{address} 已停止' },
  resumed: { en: '{address} takes requests again', zh: '{address} 已恢复服务' },
} as const;
