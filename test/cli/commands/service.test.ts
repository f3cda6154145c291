/** `turnpike service`, with a `systemctl` that notes how it was called. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCli } from '../run-cli.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-service-'));
  program('systemctl', 'case "$1" in show) cat "$FOLDER/shown";; esac');
  program('useradd');
  program('id', 'exit 1');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function program(name: string, script = ''): void {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\necho "${name} $*" >> "$FOLDER/calls"\n${script}\n`);
  chmodSync(path, 0o755);
}
const service = (...words: string[]) =>
  runCli(['service', ...words], {
    environment: { PATH: `${folder}:/usr/bin:/bin`, FOLDER: folder },
  });
const calls = (): string[] => readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n');

test('install makes the account, writes the unit and starts it; uninstall takes it away', async () => {
  const unit = join(folder, 'turnpike.service');
  const none = await service('status', '--unit-dir', folder);
  expect([none.exitCode, none.stdout]).toEqual([1, expect.stringContaining('service install')]);
  const installed = await service('install', '--unit-dir', folder, '--account', 'gate', '--json');
  expect([installed.exitCode, installed.json()]).toEqual([0, { path: unit, user: 'gate' }]);
  expect(readFileSync(unit, 'utf8')).toMatch(/^ExecStart=".+" ".+" serve --no-open/m);
  expect(readFileSync(unit, 'utf8')).toMatch(/^User=gate$/m);
  expect(calls()).toEqual([
    'id gate',
    expect.stringMatching(/^useradd --system .* gate$/),
    'systemctl daemon-reload',
    'systemctl enable turnpike.service',
    'systemctl restart turnpike.service',
  ]);
  expect((await service('uninstall', '--unit-dir', folder, '--yes')).exitCode).toBe(0);
  expect(existsSync(unit)).toBe(false);
  expect(calls().slice(-2)).toEqual([
    'systemctl disable --now turnpike.service',
    'systemctl daemon-reload',
  ]);
});

test('folders that its variables name can be written, so that its backups do not fail', async () => {
  const variables = join(folder, 'turnpike.env');
  writeFileSync(
    variables,
    'BACKUP_TO="/my backups/100%"\nTURNPIKE_ARCHIVE_DIR=s3://bucket/logs\nLEDGER_SEAL_FILE=/mnt/seals/one\n' +
      'TURNPIKE_UPLOAD_DIR=/var/lib/turnpike/files\nLOG_DIR=/my backups/100%\n',
  );
  const printed = await service('install', '--print', '--env-file', variables, '--json');
  const { unit } = printed.json<{ unit: string }>();
  expect(unit.match(/^(ReadWritePaths|EnvironmentFile)=.*$/gm)).toEqual([
    `EnvironmentFile=-${variables}`,
    'ReadWritePaths="-/my backups/100%%"',
    'ReadWritePaths="-/mnt/seals"',
  ]);
  const path = join(folder, 'turnpike.service');
  writeFileSync(path, unit);
  const checked = spawnSync('systemd-analyze', ['verify', '--man=no', path], { encoding: 'utf8' });
  if (checked.error === undefined) expect([checked.status, checked.stderr]).toEqual([0, '']);
  const plain = await service('install', '--print', '--env-file', join(folder, 'none'));
  expect(plain.stdout).not.toContain('ReadWritePaths');
});

test.each([
  ['active', 0],
  ['failed', 1],
])('status of a service that is %s has exit code %s', async (state, exitCode) => {
  await service('install', '--unit-dir', folder);
  writeFileSync(
    join(folder, 'shown'),
    `ActiveState=${state}\nSubState=running\nUnitFileState=enabled\nMainPID=12\nNRestarts=3\n`,
  );
  const shown = await service('status', '--unit-dir', folder, '--json');
  expect([shown.exitCode, shown.json()]).toEqual([
    exitCode,
    {
      path: join(folder, 'turnpike.service'),
      state,
      detail: 'running',
      starts_with_system: true,
      pid: 12,
      restarts: 3,
    },
  ]);
});

test('secrets are files that the unit loads; one that is no setting is named', async () => {
  const secrets = join(folder, 'secrets');
  const install = () => service('install', '--unit-dir', folder, '--secrets-dir', secrets);
  expect((await install()).stderr).toContain(secrets);
  mkdirSync(secrets);
  writeFileSync(join(secrets, 'TURNPIKE_DATABASE_URL'), 'postgres://u:the-password@h/d');
  expect((await install()).exitCode).toBe(0);
  const unit = readFileSync(join(folder, 'turnpike.service'), 'utf8');
  expect(unit).toContain(
    `\nLoadCredential=TURNPIKE_DATABASE_URL:${secrets}/TURNPIKE_DATABASE_URL\n`,
  );
  expect(unit).not.toContain('the-password');
  writeFileSync(join(secrets, 'TURNPIKE_DATABSE_URL'), '');
  const { exitCode, stderr } = await install();
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('TURNPIKE_DATABSE_URL in ')]);
});

test('what systemctl refuses is said with its own words', async () => {
  program('systemctl', 'echo "not booted with systemd" >&2; exit 1');
  const { exitCode, stderr } = await service('install', '--unit-dir', folder);
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('not booted with systemd')]);
});

test.skipIf(spawnSync('systemd-analyze', ['--version']).status !== 0)(
  'systemd itself takes the unit, and finds it well protected',
  async () => {
    const folders = ['--secrets-dir', join(folder, 'secrets')];
    mkdirSync(join(folder, 'secrets'));
    writeFileSync(join(folder, 'secrets', 'TURNPIKE_CRYPTO_SECRET'), 'secret');
    const { stdout } = await service('install', '--print', '--account', 'daemon', ...folders);
    const unit = join(folder, 'turnpike.service');
    writeFileSync(unit, stdout);
    const analyze = (...words: string[]) =>
      spawnSync('systemd-analyze', words, { encoding: 'utf8' });
    expect(analyze('verify', '--man=no', unit)).toMatchObject({ status: 0, stderr: '' });
    // Of 100, the lower the better; what runs unprotected has 96.
    const { status, stderr } = analyze('security', '--offline=true', '--threshold=30', unit);
    expect([status, stderr]).toEqual([0, '']);
  },
);
