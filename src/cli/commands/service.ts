/** `turnpike service …`: the gateway as a service of systemd (docs/operate.md#services). */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { variableNames } from '../../core/config/schema.ts';
import type { Flag } from '../base/flags.ts';
import { UsageError } from '../base/usage-error.ts';
import {
  type Command,
  type Context,
  command,
  done,
  failedWith,
  type Outcome,
} from '../command/command.ts';
import { unitText } from './service-unit.ts';

const unitName = 'turnpike.service';
const unitFlag: Flag = {
  name: 'unit-dir',
  kind: 'text',
  placeholder: 'DIR',
  summary: {
    en: 'Folder of the unit (default /etc/systemd/system)',
    zh: '单元文件所在目录（默认 /etc/systemd/system）',
  },
};

const environmentFlag: Flag = {
  name: 'env-file',
  kind: 'text',
  placeholder: 'FILE',
  summary: {
    en: 'File of its variables (default /etc/turnpike.env); folders that it names become writable',
    zh: '变量文件（默认 /etc/turnpike.env）；其中指定的目录会设为可写',
  },
};

/** Where secrets lie that only root may read; systemd hands them to the service. */
const secretsFlag: Flag = {
  name: 'secrets-dir',
  kind: 'text',
  placeholder: 'DIR',
  summary: {
    en: 'Folder of secrets, each a file named like its variable (default /etc/turnpike.secrets)',
    zh: '密钥文件所在目录，文件名为对应的变量名（默认 /etc/turnpike.secrets）',
  },
};

/** Throws UsageError for a file that is no setting: probably its name has a mistake. */
function secretsOf({ values }: Context): readonly { name: string; path: string }[] {
  const given = values.text('secrets-dir');
  const folder = resolve(given ?? '/etc/turnpike.secrets');
  if (!existsSync(folder)) {
    if (given !== undefined) throw new UsageError(texts.noSecrets, { folder });
    return [];
  }
  return readdirSync(folder)
    .sort()
    .map((name) => {
      if (!variableNames.has(name)) throw new UsageError(texts.noSetting, { name, folder });
      return { name, path: join(folder, name) };
    });
}

const unitPath = ({ values }: Context): string =>
  join(values.text('unit-dir') ?? '/etc/systemd/system', unitName);

/** Runs a program of the system. Throws Error with what it wrote to stderr if it fails. */
function run({ environment, output }: Context, program: string, ...words: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, words, {
    encoding: 'utf8',
    env: environment,
  });
  if (status === 0) return stdout;
  const cause = error?.message ?? stderr.trim();
  throw new Error(output.localize(texts.failed, { line: [program, ...words].join(' '), cause }));
}

async function install(context: Context): Promise<Outcome> {
  const user = context.values.text('account') ?? 'turnpike';
  if (!/^[a-z_][a-z0-9_-]*$/.test(user)) throw new UsageError(texts.user);
  const environmentFile = resolve(context.values.text('env-file') ?? '/etc/turnpike.env');
  const unit = unitText(user, environmentFile, secretsOf(context));
  if (context.values.on('print')) {
    return { json: { unit }, print: (output) => output.line(unit.trimEnd()) };
  }
  if (realpathSync(process.argv[1] ?? '').includes('/_npx/')) throw new UsageError(texts.temporary);
  const path = unitPath(context);
  if (spawnSync('id', [user], { env: context.environment }).status !== 0) {
    const home = ['--home-dir', '/var/lib/turnpike', '--shell', '/usr/sbin/nologin'];
    run(context, 'useradd', '--system', '--user-group', ...home, user);
  }
  writeFileSync(path, unit, { mode: 0o644 });
  run(context, 'systemctl', 'daemon-reload');
  // It may be there in another version already.
  run(context, 'systemctl', 'enable', unitName);
  run(context, 'systemctl', 'restart', unitName);
  return done(texts.installed, { path }, { path, user });
}

async function uninstall(context: Context): Promise<Outcome> {
  const path = unitPath(context);
  if (!existsSync(path)) throw new UsageError(texts.missing, { path });
  run(context, 'systemctl', 'disable', '--now', unitName);
  rmSync(path);
  run(context, 'systemctl', 'daemon-reload');
  return done(texts.removed, { path }, { path });
}

async function status(context: Context): Promise<Outcome> {
  const path = unitPath(context);
  if (!existsSync(path)) return notInstalled(path);
  const shown = run(
    context,
    'systemctl',
    ...['show', unitName, '--property=ActiveState,SubState,UnitFileState,MainPID,NRestarts'],
  );
  const facts = Object.fromEntries(shown.split('\n').map((line) => line.split('=')));
  const { ActiveState = '', SubState = '', UnitFileState = '', MainPID, NRestarts } = facts;
  const json = {
    path,
    state: ActiveState,
    detail: SubState,
    starts_with_system: UnitFileState === 'enabled',
    pid: Number(MainPID) || 0,
    restarts: Number(NRestarts) || 0,
  };
  const text = json.starts_with_system ? texts.enabled : texts.disabled;
  const params = { state: json.state, detail: json.detail, pid: json.pid, restarts: json.restarts };
  return {
    json,
    exitCode: json.state === 'active' ? 0 : 1,
    print: (output) => output.line(output.localize(text, params)),
  };
}

const notInstalled = (path: string): Outcome =>
  failedWith({
    json: {
      path,
      state: 'not-installed',
      detail: '',
      starts_with_system: false,
      pid: 0,
      restarts: 0,
    },
    print: (output) => output.line(output.localize(texts.notInstalled, { path })),
  });

export const serviceCommands: readonly Command[] = [
  command({
    name: 'service install',
    summary: {
      en: 'Install and start the gateway as a service of systemd',
      zh: '将网关安装为 systemd 服务并启动',
    },
    details: {
      en: 'As root. The data is in /var/lib/turnpike, variables are read from /etc/turnpike.env, secrets from files in /etc/turnpike.secrets that only root need be able to read. Run it again after an update, with another secret, or with another folder in the file of variables: the gateway restarts.',
      zh: '需要 root 权限。数据在 /var/lib/turnpike，变量从 /etc/turnpike.env 读取，密钥从 /etc/turnpike.secrets 中的文件读取，只需 root 可读。升级、增加密钥或在变量文件中更改目录后可再次执行，网关会重启。',
    },
    flags: [
      {
        name: 'account',
        kind: 'text',
        placeholder: 'NAME',
        summary: {
          en: 'Account that runs it (default turnpike); created where it is missing',
          zh: '运行服务的系统账户（默认 turnpike），不存在时自动创建',
        },
      },
      {
        name: 'print',
        kind: 'switch',
        summary: { en: 'Only print the unit', zh: '仅输出单元文件' },
      },
      environmentFlag,
      secretsFlag,
      unitFlag,
    ],
    local: true,
    run: install,
  }),
  command({
    name: 'service status',
    summary: { en: 'Whether the service runs', zh: '查看服务状态' },
    details: {
      en: 'Exit code 1 unless it is active.',
      zh: '服务未处于 active 状态时退出码为 1。',
    },
    flags: [unitFlag],
    local: true,
    run: status,
  }),
  command({
    name: 'service uninstall',
    summary: {
      en: 'Stop the service and remove it; the data stays',
      zh: '停止并移除服务；数据保留',
    },
    flags: [unitFlag],
    confirmation: { en: 'Stop the gateway and remove its service?', zh: '停止网关并移除其服务？' },
    local: true,
    run: uninstall,
  }),
];

const texts = {
  user: {
    en: '--account is the name of an account: small letters, digits, _ and -',
    zh: '--account 应为系统账户名：小写字母、数字、_ 和 -',
  },
  temporary: {
    en: 'npx keeps the program in a temporary folder: install it first with npm i -g turnpike',
    zh: 'npx 的程序位于临时目录：请先执行 npm i -g turnpike',
  },
  failed: { en: '{line} failed: {cause}', zh: '{line} 失败：{cause}' },
  notInstalled: {
    en: 'There is no service: {path} is missing. Install it: sudo turnpike service install',
    zh: '服务未安装：找不到 {path}。安装：sudo turnpike service install',
  },
  missing: { en: 'There is no service: {path} is missing', zh: '服务未安装：找不到 {path}' },
  installed: {
    en: 'The gateway runs as a service: {path}. Its setup code: journalctl -u turnpike',
    zh: '网关已作为服务运行：{path}。初始化码：journalctl -u turnpike',
  },
  noSecrets: { en: 'There is no folder {folder}', zh: '找不到目录 {folder}' },
  noSetting: {
    en: '{name} in {folder} is no setting: name the file like its variable, such as TURNPIKE_DATABASE_URL',
    zh: '{folder} 中的 {name} 不是设置项：文件名应为变量名，如 TURNPIKE_DATABASE_URL',
  },
  removed: {
    en: 'Removed: {path}. The data stays in /var/lib/turnpike',
    zh: '已移除：{path}。数据保留在 /var/lib/turnpike',
  },
  enabled: {
    en: '{state} ({detail}), process {pid}, {restarts} restarts, starts with the system',
    zh: '{state}（{detail}），进程 {pid}，重启 {restarts} 次，随系统启动',
  },
  disabled: {
    en: '{state} ({detail}), process {pid}, {restarts} restarts, does not start with the system',
    zh: '{state}（{detail}），进程 {pid}，重启 {restarts} 次，不随系统启动',
  },
} as const;
