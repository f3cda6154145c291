/**
 * The flags of `turnpike serve`: settings of the process that people set by hand. Each has a
 * variable.
 */
import type { Flag } from '../base/flags.ts';
import { dataDirFlag } from '../command/common-flags.ts';

const flags: readonly Flag[] = [
  {
    name: 'host',
    kind: 'text',
    placeholder: 'ADDRESS',
    summary: { en: 'Address to listen on (default 127.0.0.1)', zh: '监听地址（默认 127.0.0.1）' },
  },
  {
    name: 'port',
    kind: 'text',
    placeholder: 'N',
    summary: {
      en: 'Port to listen on, 0 for any (default 3000)',
      zh: '监听端口，0 为任意（默认 3000）',
    },
  },
  dataDirFlag,
  {
    name: 'demo',
    kind: 'switch',
    summary: {
      en: 'Try everything on a made-up site without any key; it is deleted at the end',
      zh: '在虚构的演示站点上试用全部功能，无需任何密钥，停止后删除',
    },
  },
  {
    name: 'database-url',
    kind: 'text',
    placeholder: 'URL',
    summary: {
      en: 'postgres://… (default: SQLite in the data folder)',
      zh: 'postgres://…（默认使用数据目录中的 SQLite）',
    },
  },
  {
    name: 'redis-url',
    kind: 'text',
    placeholder: 'URL',
    summary: { en: 'redis://…, shared by several processes', zh: 'redis://…，多进程共享' },
  },
  {
    name: 'no-open',
    kind: 'switch',
    summary: { en: 'Do not open the browser', zh: '不打开浏览器' },
  },
  {
    name: 'workers',
    kind: 'text',
    placeholder: 'N',
    summary: {
      en: 'Processes behind one port; more than one needs PostgreSQL and Redis (default 1)',
      zh: '共用一个端口的进程数；多于 1 个需要 PostgreSQL 和 Redis（默认 1）',
    },
  },
  {
    name: 'durability',
    kind: 'text',
    placeholder: 'full|normal',
    summary: {
      en: 'full survives a power cut, normal is faster (default full)',
      zh: 'full 断电不丢数据，normal 更快（默认 full）',
    },
  },
  {
    name: 'log-level',
    kind: 'text',
    placeholder: 'LEVEL',
    summary: {
      en: 'debug, info, warn, error or silent, and levels of parts: info,relay=debug (default info)',
      zh: 'debug、info、warn、error 或 silent，可再为各部分单独指定：info,relay=debug（默认 info）',
    },
  },
  {
    name: 'log-to',
    kind: 'text',
    placeholder: 'file|stdout|both',
    summary: {
      en: 'Where the process log goes: file, stdout or both (default file)',
      zh: '进程日志的去向：file、stdout 或 both（默认 file）',
    },
  },
  {
    name: 'log-format',
    kind: 'text',
    placeholder: 'json|text',
    summary: {
      en: 'json, one object per line, or text for people (default json)',
      zh: 'json（每行一个对象）或便于阅读的 text（默认 json）',
    },
  },
  {
    name: 'access-log',
    kind: 'text',
    placeholder: 'FILE|stdout',
    summary: {
      en: 'A line for each request in the combined format, with milliseconds (default: none)',
      zh: '按 combined 格式记录每个请求及其毫秒数（默认不记录）',
    },
  },
  {
    name: 'log-dir',
    kind: 'text',
    placeholder: 'DIR',
    summary: { en: 'Folder of log files', zh: '日志目录' },
  },
];

export const serveFlags: readonly Flag[] = flags.map((flag) => ({ ...flag, variable: true }));
