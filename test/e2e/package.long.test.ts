/** The package as a stranger gets it: packed, installed into an empty folder, started. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { program } from '../support/program.ts';
import { spawnGateway } from '../support/spawned-gateway.ts';

const root = join(dirname(program), '..');
const folder = mkdtempSync(join(tmpdir(), 'turnpike-package-'));
const installed = join(folder, 'node_modules', 'turnpike');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The Node of this project, without what npm says to the scripts that it runs. */
const environment = {
  PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
  HOME: folder,
};

const npm = (...words: string[]): string =>
  execFileSync('npm', [...words, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    encoding: 'utf8',
    env: environment,
  });

/** Dependencies come from this checkout, so that no registry is called. */
function dependency(name: string): string {
  const [packed] = JSON.parse(
    npm('pack', join(root, 'node_modules', name), '--json', '--ignore-scripts'),
  ) as [{ filename: string }];
  return `file:${join(folder, packed.filename)}`;
}

beforeAll(() => {
  const [packed] = JSON.parse(npm('pack', root, '--json', '--ignore-scripts')) as [
    { filename: string },
  ];
  const names = ['better-sqlite3', 'node-addon-api'];
  const local = Object.fromEntries(names.map((name) => [name, dependency(name)]));
  const dependencies = { ...local, turnpike: `file:${join(folder, packed.filename)}` };
  const overrides = Object.fromEntries(names.map((name) => [name, `$${name}`]));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies, overrides }));
  npm('install', '--ignore-scripts', '--offline');
});

test('the package holds the program, its licences and nothing of the repository', () => {
  expect(readdirSync(installed).sort()).toEqual(
    ['CHANGELOG.md', 'LICENSE', 'README.md', 'bin', 'dist', 'package.json'].sort(),
  );
  const files = readdirSync(join(installed, 'dist'));
  expect(files.filter((name) => name.startsWith('.'))).toEqual([]);
  expect(files).toEqual(expect.arrayContaining(['THIRD-PARTY-NOTICES.txt', 'sbom.cdx.json', 'ui']));
});

/** Who runs it in the image: not root, who may write anywhere. */
const user = process.getuid?.() === 0 ? 1000 : undefined;

test('as in the image: not as root, the program read-only, its health check tells a gateway that runs', async () => {
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
  const [, settings = ''] = /^ENV ((?:.+\\\n)*.+)$/m.exec(dockerfile) ?? [];
  const pairs = settings.split(/[\s\\]+/).map((pair) => pair.split('='));
  const variables = Object.fromEntries(pairs);
  const [, check = '[]'] = /HEALTHCHECK.*\n\s*CMD (\[.+\])$/m.exec(dockerfile) ?? [];
  const [, ...words] = JSON.parse(check) as string[];
  const isHealthy = (port: string) =>
    spawnSync(process.execPath, words, { env: { TURNPIKE_PORT: port } }).status === 0;

  const data = join(folder, 'volume');
  mkdirSync(data, { mode: 0o700 });
  if (user !== undefined) chownSync(data, user, user);
  chmodSync(folder, 0o555);
  execFileSync('chmod', ['-R', 'a-w', installed]);
  const inImage = { ...variables, TURNPIKE_PORT: '0', TURNPIKE_HOST: '127.0.0.1' };
  const { url, close } = await spawnGateway(
    inImage,
    data,
    join(installed, 'bin/turnpike.js'),
    user,
  );
  try {
    expect(isHealthy(new URL(url).port)).toBe(true);
  } finally {
    chmodSync(folder, 0o755);
    execFileSync('chmod', ['-R', 'u+w', installed]);
    await close();
  }
  expect(isHealthy(new URL(url).port)).toBe(false);
});

test('it starts without install scripts, is ready and shows its licences', async () => {
  const path = join(folder, 'node_modules', '.bin', 'turnpike');
  const { url, close } = await spawnGateway({}, join(folder, 'data'), path);
  try {
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const notices = await fetch(`${url}/licenses`);
    expect(notices.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await notices.text()).toContain('@fontsource-variable/geist');
    const materials = await (await fetch(`${url}/licenses/sbom.cdx.json`)).json();
    expect(materials).toMatchObject({ bomFormat: 'CycloneDX' });
  } finally {
    await close();
  }
});
