/**
 * Installs agents from npm, each in its own folder in the system's temporary folder, which is
 * reused.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordOf, textOf } from '../../src/core/canonical/kit/read-json.ts';
import type { Agent } from './agent.ts';

/** Time limit in ms for hundreds of megabytes over a slow connection. */
const installMs = 10 * 60_000;

/** How to start a program: with Node for scripts, directly for binaries. */
export interface Program {
  readonly file: string;
  readonly args: readonly string[];
}

function run(file: string, args: readonly string[], cwd: string): void {
  const { status, error, stderr } = spawnSync(file, args, {
    cwd,
    timeout: installMs,
    encoding: 'utf8',
  });
  if (status === 0) return;
  const words = (stderr ?? '')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('npm warn'));
  throw new Error(
    error?.message ?? (words.slice(0, 2).join(' ') || `${file} ended with ${status}`),
  );
}

const npmInstall = ['install', '--ignore-scripts', '--no-audit', '--no-fund'];

/** Installs packages in `folder`. The interpreter of what is installed. */
function installPython(packages: Readonly<Record<string, string>>, folder: string): string {
  const python = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], {
    encoding: 'utf8',
  }).stdout?.trim();
  if (!python) throw new Error('there is no python3');
  const wanted = Object.entries(packages).map(([name, version]) => `${name}==${version}`);
  if (!existsSync(join(folder, 'installed')))
    run(
      python,
      [
        '-m',
        'pip',
        'install',
        '--quiet',
        '--disable-pip-version-check',
        '--target',
        folder,
        ...wanted,
      ],
      folder,
    );
  return python;
}

function installNode(packages: Readonly<Record<string, string>>, folder: string): string {
  if (existsSync(join(folder, 'installed'))) return process.execPath;
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, dependencies: packages }),
  );
  run('npm', npmInstall, folder);
  return process.execPath;
}

/** A library's packages in one folder, and beside them the program that uses it. */
function installDriver({ file, packages }: NonNullable<Agent['driver']>): Program {
  const version = createHash('sha256').update(JSON.stringify(packages)).digest('hex').slice(0, 12);
  const folder = join(tmpdir(), 'turnpike-agents', `clients-${version}`);
  mkdirSync(folder, { recursive: true });
  const interpreter = file.endsWith('.py')
    ? installPython(packages, folder)
    : installNode(packages, folder);
  writeFileSync(join(folder, 'installed'), '');
  cpSync(join(import.meta.dirname, 'clients', 'drivers'), folder, { recursive: true });
  return { file: interpreter, args: [join(folder, file)] };
}

/** Throws with npm's message if the package cannot be installed. */
export function install(agent: Agent): Program {
  if (agent.driver !== undefined) return installDriver(agent.driver);
  const folder = join(
    tmpdir(),
    'turnpike-agents',
    `${agent.package.replaceAll('/', '-')}-${agent.version}`,
  );
  const home = join(folder, 'node_modules', agent.package);
  const installed = join(folder, 'installed');
  if (!existsSync(installed)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    // Install scripts of dependencies only compile optional parts; its own script is run below.
    run('npm', [...npmInstall, `${agent.package}@${agent.version}`], folder);
    if (agent.prepare !== undefined) run(process.execPath, [join(home, agent.prepare)], home);
    writeFileSync(installed, '');
  }
  const { bin } = recordOf(JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))) ?? {};
  const script = textOf(bin) ?? textOf(Object.values(recordOf(bin) ?? {})[0]);
  if (script === undefined) throw new Error(`${agent.package} has no program`);
  const file = join(home, script);
  return file.endsWith('.js') ? { file: process.execPath, args: [file] } : { file, args: [] };
}
