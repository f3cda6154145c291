/** The process: who can reach it, what it may open, and Redis. */
import type { JobReport } from '../runtime/background-job.ts';
import type { NodeReport } from '../runtime/nodes.ts';
import { type Check, type Finding, problem, warning } from './check.ts';

/** Each streamed request takes two connections. */
const fewFiles = 4096;
/** Major and minor version; streams of changes need commands of this one. */
const oldestRedis = [6, 2] as const;

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host.startsWith('127.');

export const processChecks: readonly Check[] = [
  {
    id: 'exposure',
    title: { en: 'Who can reach the gateway', zh: '网关的可达范围' },
    async run({ config, options, isServing }) {
      const { host, port, trustedProxies } = config;
      const isEncrypted = options.get('ServerAddress').startsWith('https://');
      const found: Finding[] = [];
      // A command does not know with which --host the gateway is started.
      if (isServing() && !isLoopback(host) && !isEncrypted)
        found.push(
          warning(
            {
              en: `The gateway listens on ${host}:${port}, without TLS in front as far as ServerAddress tells`,
              zh: `网关监听 ${host}:${port}，而 ServerAddress 未表明前面有 TLS`,
            },
            {
              en: 'Anyone on the network path can read passwords, keys and conversations',
              zh: '传输途中的任何人都能读取密码、密钥与对话内容',
            },
            {
              en: 'Put a reverse proxy with TLS in front and set ServerAddress to its https address, or start with --host 127.0.0.1',
              zh: '请在前面部署带 TLS 的反向代理，并将 ServerAddress 设为其 https 地址；或以 --host 127.0.0.1 启动',
            },
          ),
        );
      if (isEncrypted && trustedProxies.length === 0)
        found.push(
          warning(
            {
              en: 'ServerAddress is https, so there is a proxy, but TRUSTED_PROXIES is empty',
              zh: 'ServerAddress 为 https，说明存在代理，但 TRUSTED_PROXIES 为空',
            },
            {
              en: "All visitors have the proxy's address: rate limits count them as one, and address lists of tokens do not match",
              zh: '所有访客都显示为代理的地址：限流会合并计算，令牌的地址白名单也无法匹配',
            },
            {
              en: 'Set TRUSTED_PROXIES to the address of the proxy, or to private, and restart',
              zh: '请将 TRUSTED_PROXIES 设为代理的地址或 private，然后重启',
            },
          ),
        );
      return found;
    },
  },
  {
    id: 'open-files',
    title: { en: 'Limit of open files', zh: '文件数上限' },
    async run({ isServing, openFileLimit }) {
      const limit = openFileLimit();
      if (!isServing() || limit === undefined || limit >= fewFiles) return [];
      return [
        warning(
          {
            en: `The gateway may open ${limit} files and connections`,
            zh: `网关最多可打开 ${limit} 个文件和连接`,
          },
          {
            en: `Each streamed request takes two: above ${Math.floor(limit / 2)} at once, requests fail`,
            zh: `每个流式请求占用两个：同时超过约 ${Math.floor(limit / 2)} 个请求时会失败`,
          },
          {
            en: 'Set LimitNOFILE=65536 in the systemd unit, or run ulimit -n 65536 before the start',
            zh: '请在 systemd 单元中设置 LimitNOFILE=65536，或启动前执行 ulimit -n 65536',
          },
        ),
      ];
    },
  },
  {
    id: 'redis',
    title: { en: 'Redis', zh: 'Redis' },
    async run({ config, redisVersion }) {
      return config.redisUrl === '' ? [] : examineRedis(config.redisUrl, redisVersion);
    },
  },
  {
    id: 'nodes',
    title: { en: 'Other gateways', zh: '其他网关' },
    async run({ isServing, nodes }) {
      if (!isServing()) return [];
      const found = await nodes();
      const own = found.find(({ isThis }) => isThis);
      return found.flatMap((node) => [
        ...(node.isShared ? [] : [separateNode(node)]),
        ...(node.wish === '' ? [] : [drainedNode(node)]),
        ...(own === undefined || node.version === own.version ? [] : [otherVersion(node, own)]),
      ]);
    },
  },
  {
    id: 'jobs',
    title: { en: 'Background jobs', zh: '后台任务' },
    async run({ lateJobs }) {
      return (await lateJobs()).map(lateJob);
    },
  },
];

function separateNode({ host, address }: NodeReport): Finding {
  return warning(
    {
      en: `The gateway on ${host} (${address}) serves this database and shares no Redis with this one at present`,
      zh: `${host} 上的网关（${address}）使用同一数据库，但未与本网关共享 Redis`,
    },
    {
      en: 'Limits of requests and sign-ins count for each gateway alone; a token that is disabled on one is refused on the other up to five seconds later',
      zh: '请求与登录的限流由各网关分别计算；在一处禁用的令牌，最多五秒后才会在另一处被拒绝',
    },
    {
      en: 'Set the same REDIS_CONN_STRING for both and restart them, or stop one',
      zh: '请为两者设置相同的 REDIS_CONN_STRING 并重启，或停止其中之一',
    },
  );
}

function drainedNode({ host, address, wish, underWay }: NodeReport): Finding {
  return warning(
    {
      en: `The gateway on ${host} (${address}) was drained: it takes nothing new, ${underWay} under way`,
      zh: `${host} 上的网关（${address}）已停止接收新请求，还有 ${underWay} 个进行中`,
    },
    {
      en: 'Load balancers leave it out, and background jobs run on other gateways only, if there are any',
      zh: '负载均衡不再向它转发；后台任务只在其他网关（如果有）上运行',
    },
    wish === 'stop'
      ? { en: 'Nothing: it ends as soon as it is empty', zh: '无需处理：空闲后将自行停止' }
      : {
          en: 'turnpike nodes resume, once it is to serve again',
          zh: '需要恢复服务时运行 turnpike nodes resume',
        },
  );
}

function otherVersion({ host, address, version }: NodeReport, own: NodeReport): Finding {
  return warning(
    {
      en: `The gateway on ${host} (${address}) has version ${version}, this one ${own.version}`,
      zh: `${host} 上的网关（${address}）版本为 ${version}，本网关为 ${own.version}`,
    },
    {
      en: 'They may read the same settings differently',
      zh: '两者对同一设置的理解可能不同',
    },
    { en: 'Install the same version on both', zh: '请在两处安装同一版本' },
  );
}

function lateJob({ name, expectedAt, last }: JobReport): Finding {
  const due = new Date(expectedAt).toISOString();
  const error = last?.error ?? '';
  const cause = error === '' ? '' : `: ${error}`;
  return problem(
    {
      en: `The job ${name} should have succeeded again at ${due}${cause}`,
      zh: `任务 ${name} 本应于 ${due} 再次成功完成${error === '' ? '' : `：${error}`}`,
    },
    { en: 'What it keeps up to date falls behind', zh: '由它维护的数据会逐渐滞后' },
    {
      en: 'Mend what its error names (turnpike jobs list); if there is none, restart the gateway',
      zh: '请排除其错误所指的原因（turnpike jobs list）；若无错误，请重启网关',
    },
  );
}

export async function examineRedis(
  url: string,
  redisVersion: (url: string) => Promise<string>,
): Promise<readonly Finding[]> {
  let version: string;
  try {
    version = await redisVersion(url);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    return [
      problem(
        { en: `Redis cannot be reached: ${cause}`, zh: `无法连接 Redis：${cause}` },
        {
          en: 'Each gateway counts rate limits for itself and learns of changes up to five seconds late; a new one does not start',
          zh: '各网关将各自计算限流，最多五秒后才知晓变更；新的网关无法启动',
        },
        {
          en: 'Start Redis, or correct REDIS_CONN_STRING; test with redis-cli -u URL ping',
          zh: '请启动 Redis 或更正 REDIS_CONN_STRING；可用 redis-cli -u URL ping 测试',
        },
      ),
    ];
  }
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > oldestRedis[0] || (major === oldestRedis[0] && minor >= oldestRedis[1])) return [];
  return [
    problem(
      { en: `Redis has version ${version}`, zh: `Redis 版本为 ${version}` },
      {
        en: `Versions before ${oldestRedis.join('.')} lack commands that the gateway uses`,
        zh: `低于 ${oldestRedis.join('.')} 的版本缺少网关所用的命令`,
      },
      {
        en: `Install Redis ${oldestRedis.join('.')} or newer`,
        zh: `请安装 Redis ${oldestRedis.join('.')} 或更新版本`,
      },
    ),
  ];
}
