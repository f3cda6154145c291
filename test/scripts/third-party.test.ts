import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { packageFolder, thirdParty } from '../../scripts/third-party.ts';
import { program } from '../support/program.ts';

const dist = join(dirname(program), '..', 'dist');
/** Licences that may be distributed with ours (CONTRIBUTING.md). */
const compatible =
  /^\(?((MIT|MIT-0|ISC|0BSD|BSD-2-Clause|BSD-3-Clause|Apache-2\.0|OFL-1\.1|CC0-1\.0|BlueOak-1\.0\.0|MPL-2\.0 OR Apache-2\.0))\)?$/;

test('the folder of a package is found in the names of modules and of files', () => {
  expect(packageFolder('/x/node_modules/zod/v4/index.js')).toBe('node_modules/zod');
  expect(packageFolder('../../node_modules/@a/b/files/c.woff2')).toBe('node_modules/@a/b');
  expect(packageFolder('\0/x/node_modules/a/node_modules/@b/c/d.js?commonjs-es-import')).toBe(
    'node_modules/a/node_modules/@b/c',
  );
  expect(packageFolder('/x/src/core/app.ts')).toBeUndefined();
});

test('a package that an earlier build had, and that is not installed any more, is left out', () => {
  const root = mkdtempSync(join(tmpdir(), 'turnpike-notices-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'dist'));
  writeFileSync(join(root, 'package-lock.json'), '{"packages":{}}');
  writeFileSync(join(root, 'dist/.packages-server.json'), '["node_modules/gone"]');
  const { writeBundle } = thirdParty(root, 'console') as {
    writeBundle(options: object, bundle: object): void;
  };
  writeBundle({}, {});
  expect(readFileSync(join(root, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8')).not.toContain('gone');
});

test('the bill of materials names every package once, with a compatible licence and a digest', () => {
  const { components } = JSON.parse(readFileSync(join(dist, 'sbom.cdx.json'), 'utf8')) as {
    components: {
      name: string;
      purl: string;
      licenses: [{ expression: string }];
      hashes?: [{ content: string }];
    }[];
  };
  expect(new Set(components.map(({ purl }) => purl)).size).toBe(components.length);
  for (const { purl, licenses, hashes } of components) {
    expect([purl, licenses[0].expression]).toEqual([purl, expect.stringMatching(compatible)]);
    expect([purl, hashes?.[0].content]).toEqual([purl, expect.stringMatching(/^[0-9a-f]{128}$/)]);
  }
  // Of the server, of the console, a font, pictures, and what npm installs.
  const names = components.map(({ name }) => name);
  for (const name of ['express', 'react-dom', '@fontsource-variable/geist'])
    expect(names).toContain(name);
  for (const name of ['@lobehub/icons-static-svg', 'better-sqlite3']) expect(names).toContain(name);
  const notices = readFileSync(join(dist, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
  for (const { name } of components) expect(notices).toContain(`\n${name} `);
});
