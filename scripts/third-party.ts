/**
 * What a build contains of others: `dist/THIRD-PARTY-NOTICES.txt` with the licences, and
 * `dist/sbom.cdx.json`, a bill of materials (CycloneDX 1.6, https://cyclonedx.org/docs/1.6/json/).
 * Both come from the modules and files that the bundler put into the build, and from the packages
 * that npm installs with ours.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import packageJson from '../package.json' with { type: 'json' };
import { buildVersion } from './build-version.ts';

export interface Package {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression; `NOASSERTION` where the package names none. */
  readonly licence: string;
  /** `sha512-…`, as package-lock.json has it; absent: not in there. */
  readonly integrity: string | undefined;
  /** Its licence and notice files. */
  readonly text: string;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string | { readonly type: string };
  /** The form of before npm 2. */
  readonly licenses?: readonly { readonly type: string }[];
  readonly author?: string | { readonly name?: string };
}
interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly integrity?: string; readonly dev?: boolean }>
  >;
}

const parse = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T;

/** `node_modules/a/node_modules/@b/c` of a module's or a file's name; undefined: no package's. */
export function packageFolder(id: string): string | undefined {
  return /(?:^|[\\/])(node_modules[\\/](?:.*[\\/]node_modules[\\/])?(?:@[^\\/]+[\\/])?[^\\/@]+)[\\/]/
    .exec(id)?.[1]
    ?.replaceAll('\\', '/');
}

/**
 * Notes the packages of one of the two builds in `dist`, and writes both documents of what is noted
 * there: after the last build they are whole.
 */
export function thirdParty(root: string, build: 'console' | 'server'): Plugin {
  const dist = join(root, 'dist');
  const noted = (name: string) => join(dist, `.packages-${name}.json`);
  return {
    name: 'third-party',
    apply: 'build',
    writeBundle(_, bundle) {
      const ids = Object.values(bundle).flatMap((file) =>
        file.type === 'chunk' ? file.moduleIds : file.originalFileNames,
      );
      const folders = new Set(ids.map(packageFolder).filter((folder) => folder !== undefined));
      mkdirSync(dist, { recursive: true });
      writeFileSync(noted(build), JSON.stringify([...folders].sort()));
      const all = readdirSync(dist).flatMap((name) =>
        /^\.packages-\w+\.json$/.test(name) ? parse<string[]>(join(dist, name)) : [],
      );
      // The other build may be an earlier one, with a package that is not installed any more.
      const present = all.filter((folder) => existsSync(join(root, folder)));
      const version = buildVersion(root, packageJson.version);
      const packages = readPackages(root, [...present, ...installedFolders(root)]);
      writeFileSync(join(dist, 'THIRD-PARTY-NOTICES.txt'), notices(packages));
      writeFileSync(join(dist, 'sbom.cdx.json'), billOfMaterials(packages, version));
    },
  };
}

const readLock = (root: string): Lock => parse(join(root, 'package-lock.json'));

/** Packages that npm installs with ours, because they cannot be bundled. */
function installedFolders(root: string): string[] {
  return Object.entries(readLock(root).packages)
    .filter(([folder, { dev }]) => folder !== '' && dev !== true)
    .map(([folder]) => folder);
}

/** Sorted by name and version, each once. */
function readPackages(root: string, folders: readonly string[]): Package[] {
  const { packages: locked } = readLock(root);
  const found = [...new Set(folders)].map((folder): [string, Package] => {
    const manifest = parse<Manifest>(join(root, folder, 'package.json'));
    const { name, version, license = manifest.licenses?.[0] } = manifest;
    const named = typeof license === 'string' ? license : license?.type;
    const text = licenceText(join(root, folder), manifest, named);
    // Some packages name their licence only in its file.
    const licence = named ?? (/^(The )?MIT License/.test(text) ? 'MIT' : 'NOASSERTION');
    const { integrity } = locked[folder] ?? {};
    return [`${name}@${version}`, { name, version, licence, integrity, text }];
  });
  return [...new Map(found.sort(([one], [other]) => (one < other ? -1 : 1))).values()];
}

function licenceText(folder: string, { author }: Manifest, licence: string | undefined): string {
  const texts = readdirSync(folder)
    .filter((name) => /^(licen[cs]e|copying|notice)([.-][\w.-]+)?$/i.test(name))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').replace(/\r/g, '').trim());
  if (texts.length > 0) return texts.join('\n\n');
  const holder = (typeof author === 'string' ? author : author?.name) ?? 'the authors';
  const text = licence === 'MIT' ? `\n\n${mit}` : '';
  return `(The package has no licence file.)\n\nCopyright (c) ${holder}${text}`;
}

/** https://spdx.org/licenses/MIT.html, for packages that name it without its text. */
const mit = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and
associated documentation files (the "Software"), to deal in the Software without restriction,
including without limitation the rights to use, copy, modify, merge, publish, distribute,
sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial
portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT
NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES
OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN
CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/** Licences that several packages share word by word stand there once. */
function notices(packages: readonly Package[]): string {
  const sharing = Map.groupBy(packages, ({ text }) => text);
  const rule = '-'.repeat(80);
  const parts = [...sharing].map(([text, owners]) => {
    const titles = owners.map(({ name, version, licence }) => `${name} ${version} (${licence})`);
    return `${rule}\n${titles.join('\n')}\n${rule}\n\n${text}\n`;
  });
  const title =
    'Turnpike contains the packages and fonts below, or is installed with them. Each is under the\n' +
    'licence that follows its name.\n';
  return [title, ...parts].join('\n');
}

function billOfMaterials(packages: readonly Package[], version: string): string {
  const purl = ({ name, version: of }: Pick<Package, 'name' | 'version'>) =>
    `pkg:npm/${name.replace('@', '%40')}@${encodeURIComponent(of)}`;
  const root = { name: 'turnpike', version };
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': purl(root),
        ...root,
        licenses: [{ license: { id: 'Apache-2.0' } }],
        purl: purl(root),
      },
    },
    components: packages.map((one) => ({
      type: 'library',
      'bom-ref': purl(one),
      name: one.name,
      version: one.version,
      licenses: [{ expression: one.licence }],
      purl: purl(one),
      ...(one.integrity !== undefined && {
        hashes: [{ alg: 'SHA-512', content: hexDigest(one.integrity) }],
      }),
    })),
    dependencies: [{ ref: purl(root), dependsOn: packages.map(purl) }],
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

function hexDigest(integrity: string): string {
  return Buffer.from(integrity.slice(integrity.indexOf('-') + 1), 'base64').toString('hex');
}
