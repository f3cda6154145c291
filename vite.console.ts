import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { thirdParty } from './scripts/third-party.ts';

/**
 * The browser needs the declarations of calls and options, not their schemas, which with zod weigh
 * a quarter of what a first load may (docs/rules/console.md#first-load). So these modules get data
 * instead of what they import. Forms import the rules that they check by themselves.
 */
const withoutSchemas = [
  {
    importer: 'src/core/contract/client.ts',
    source: './index.ts',
    name: 'api',
    declares: 'path',
    // What a server checks, or a command line shows.
    leftOut: new Set([
      ...['input', 'output', 'summary', 'access', 'rate', 'bodyLimit', 'cors', 'humanCheck'],
      ...[
        'changes',
        'keepsStatus',
        'malformedStatus',
        'upload',
        'login',
        'waysIn',
        'withoutUserId',
      ],
    ]),
  },
  {
    importer: 'src/core/options/facts.ts',
    source: './registry.ts',
    name: 'optionRegistry',
    declares: 'schema',
    leftOut: new Set(['schema', 'default', 'status', 'needs', 'needsFor']),
  },
  {
    importer: 'src/core/pricing/catalogue-prices.ts',
    source: '../models/rows/index.ts',
    name: 'modelRows',
    declares: 'name',
    // All but names and prices.
    leftOut: new Set([
      ...['vendor', 'source', 'seen', 'released', 'ends', 'successor', 'kind', 'efforts'],
    ]),
  },
  {
    importer: 'src/ui/client/session.ts',
    source: './signed-in-defaults.ts',
    name: 'signedInDefaults',
    declares: '',
    leftOut: new Set(),
  },
];

/**
 * A call with method, path and shape alone, which nearly all are, is written as `e(path, method,
 * shape)`: 1.5 KB less after gzip.
 */
const plainEndpoint = /\{"method":("\w+"),"path":("[^"]+"),"shape":("\w+")\}/g;
const endpointFunction =
  'const e = (path, method = "GET", shape = "data") => ({ path, method, shape });\n';

function asCall(_: string, method: string, path: string, shape: string): string {
  if (shape !== '"data"') return `e(${path},${method},${shape})`;
  return method === '"GET"' ? `e(${path})` : `e(${path},${method})`;
}

function declarationsWithoutSchemas(): Plugin {
  const prefix = '\0without-schemas:';
  return {
    name: 'declarations-without-schemas',
    apply: 'build',
    enforce: 'pre',
    resolveId: (source, from) => {
      const path = from?.replaceAll('\\', '/') ?? '';
      const found = withoutSchemas.find(
        ({ importer, source: imported }) => imported === source && path.endsWith(`/${importer}`),
      );
      return found === undefined ? undefined : prefix + found.name;
    },
    load: async (id) => {
      const found = withoutSchemas.find(({ name }) => id === prefix + name);
      if (found === undefined) return undefined;
      const { importer, source, name, declares, leftOut } = found;
      const module = (await import(
        new URL(source, new URL(importer, import.meta.url)).href
      )) as Readonly<Record<string, object>>;
      // Only of declarations: a group or a call may have such a name, too (`login`).
      const data = JSON.stringify(module[name], function (this: object, key, value: unknown) {
        return declares in this && leftOut.has(key) ? undefined : value;
      });
      return `${endpointFunction}export const ${name} = ${data.replace(plainEndpoint, asCall)};`;
    },
  };
}

/** Fails the build if `theme/components.css` lacks the styles of a component in it, or has others. */
function componentStyles(): Plugin {
  const list = new URL('./src/ui/theme/components.css', import.meta.url);
  return {
    name: 'component-styles',
    apply: 'build',
    async generateBundle(_, bundle) {
      const used = Object.values(bundle)
        .flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
        .flatMap((id) => /@mantine[\\/]core[\\/].*?(\w+)\.module\.m?js$/.exec(id)?.[1] ?? []);
      const styled = [...(await readFile(list, 'utf8')).matchAll(/styles\/([A-Z]\w*)\.css/g)];
      const listed = styled.map(([, name = '']) => name);
      const wrong = [
        ...used.filter((name) => !listed.includes(name)),
        ...listed.filter((name) => !used.includes(name)),
      ];
      if (wrong.length > 0)
        this.error(`src/ui/theme/components.css does not fit the build: ${wrong.join(', ')}`);
    },
  };
}

/** Of KaTeX's fonts the files that every browser reads, not those of before woff2. */
function newFontsOnly(): Plugin {
  return {
    name: 'new-fonts-only',
    apply: 'build',
    enforce: 'pre',
    transform: (code, id) =>
      /[\\/]katex\.min\.css$/.test(id)
        ? code.replace(/,\s*url\([^)]+\.(?:woff|ttf)\)\s*format\([^)]+\)/g, '')
        : undefined,
  };
}

const compress = promisify(brotliCompress);
/**
 * The best for what first loads consist of: the console's own code and the packages of every screen.
 * For the others, which are large and rarely loaded, one less: a fifth of its time, and 2 % larger.
 */
const qualityOf = (name: string | undefined, modules: readonly string[]) => ({
  [constants.BROTLI_PARAM_QUALITY]:
    name === 'base' || name === 'controls' || modules.some((id) => /[\\/]src[\\/]/.test(id))
      ? 11
      : 10,
});
/** Bytes; as for all other replies of the server. */
const leastCompressed = 1024;

/** Beside each script and style sheet a `.br`, an eighth smaller than what is compressed when served. */
function compressedAssets(): Plugin {
  return {
    name: 'compressed-assets',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      await Promise.all(
        Object.values(bundle).map(async (file) => {
          const content = Buffer.from(file.type === 'chunk' ? file.code : file.source);
          if (!/\.(js|css)$/.test(file.fileName) || content.length < leastCompressed) return;
          const modules = file.type === 'chunk' ? file.moduleIds : [];
          const compressed = await compress(content, { params: qualityOf(file.name, modules) });
          await writeFile(join(dir, `${file.fileName}.br`), compressed);
        }),
      );
    },
  };
}

const controls =
  /[\\/](@mantine[\\/](hooks(?![\\/]esm[\\/]use-(drag|scroller|collapse))|store)|@floating-ui|@mantine[\\/]core[\\/]esm[\\/](core|components[\\/](Box|Button|UnstyledButton|Loader|Transition|ActionIcon|Tooltip|Popover|Menu|Portal|Paper|FocusTrap|VisuallyHidden|CloseButton|Group|Stack|Text|Input|InputBase|InlineInput|Switch|TextInput|ScrollArea[\\/]utils)))[\\/]/;

/**
 * Small modules that most screens need, also those of visitors: they must not lead to the lists.
 */
const shared =
  /[\\/]lucide-react[\\/]dist[\\/]esm[\\/](createLucideIcon|Icon|context|defaultAttributes|shared|icons[\\/](chevron(s-up)?-down|search|eye|trash)\.)|[\\/]src[\\/]core[\\/](pricing[\\/]format|kernel[\\/](decimal|json|quota|shown-addresses)|vocabulary[\\/](roles|statuses|redemption-state|log-types|languages))\.|[\\/]src[\\/]ui[\\/](client[\\/](api|failures|session|query-client|connection)|browser[\\/](local-storage|paths|router-handle|shown-file)|i18n[\\/](index|translate)|queries[\\/](query-keys|use-status|use-invalidate)|hooks[\\/](use-url-state|use-money|use-phone|use-time-text|use-escape|use-seen|use-return-focus|drawer-address)|components[\\/](page|states|icon-button|dialogs|confirm-danger|use-copy|copy-button|tag|status-dot|measured-tone))\./;
const icons =
  /[\\/]lucide-react[\\/]dist[\\/]esm[\\/]icons[\\/](x|plus|download|arrow-(up|down)|chevron-(left|right|up)|pencil|sliders-horizontal|ellipsis)\./;
const channelIcons =
  /[\\/]lucide-react[\\/]dist[\\/]esm[\\/]icons[\\/](zap|power|power-off|workflow|square)\./;
const lists =
  /[\\/]src[\\/]ui[\\/]list[\\/](?!filter-bar\.|filter-text-form|filter-sheet|declared-filters|bulk-(control|dialog|preview)|token-bulk|bulk\.|grouped-names)/;

const filterBar =
  /[\\/]src[\\/]ui[\\/]list[\\/]filter-bar\.|[\\/]lucide-react[\\/]dist[\\/]esm[\\/]icons[\\/](check|refresh-cw)\./;

const saving =
  /[\\/]src[\\/](ui[\\/](client[\\/]save-file|browser[\\/]download)|core[\\/]contract[\\/]every-row)\./;
const spending =
  /[\\/]src[\\/](ui[\\/](hooks[\\/]empty-day|queries[\\/]use-budgets)|core[\\/]vocabulary[\\/](budget-forecast|budgets))\./;

const account =
  /[\\/]src[\\/](core[\\/]entities[\\/]user-policy|ui[\\/](browser[\\/]site-address|queries[\\/]use-groups|components[\\/]sign-in[\\/]providers|form[\\/]changed-keys))\./;
const accountTexts = (language: string) =>
  new RegExp(
    `[\\\\/]src[\\\\/]ui[\\\\/]i18n[\\\\/]${language}[\\\\/](account|identities|email-code|phone)\\.`,
  );

const commonTexts = (language: string) =>
  new RegExp(
    `[\\\\/]src[\\\\/](ui[\\\\/]i18n[\\\\/]${language}[\\\\/]index|core[\\\\/]i18n[\\\\/]${language}[\\\\/]vocabulary)\\.`,
  );

/**
 * The console build: src/ui into dist/ui; every file except index.html is under assets/ with a hash
 * in its name.
 */
export default defineConfig({
  root: fileURLToPath(new URL('./src/ui', import.meta.url)),
  base: '/',
  plugins: [
    react(),
    declarationsWithoutSchemas(),
    componentStyles(),
    newFontsOnly(),
    compressedAssets(),
    thirdParty(fileURLToPath(new URL('.', import.meta.url)), 'console'),
  ],
  build: {
    outDir: fileURLToPath(new URL('./dist/ui', import.meta.url)),
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    // CodeMirror and what draws diagrams are chunks of their own, loaded on demand.
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        // Every file names those that it loads: shorter names are a smaller first load.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        entryFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: {
          groups: [
            // What every screen needs: one file that changes only when these packages do.
            {
              name: 'base',
              test: /node_modules[\\/](react|react-dom|scheduler|react-router|@tanstack)[\\/]/,
            },
            // The controls that every screen has, in one file instead of thirty.
            { name: 'controls', test: controls },
            { name: 'shared', test: shared },
            // Screens without a form have these, too.
            { name: 'text-area', test: /[\\/]components[\\/]Textarea[\\/]|textarea-autosize/ },
            { name: 'form-rows', test: /[\\/]src[\\/]ui[\\/]form[\\/](form-rows|quick-picks)\./ },
            // The plain fields of every form.
            {
              name: 'fields',
              test: /[\\/]src[\\/]ui[\\/]form[\\/](plain-field|quota-field)\./,
            },
            // What accounts are shown with: small files that come together.
            { name: 'account', test: account },
            { name: 'account-zh', test: accountTexts('zh') },
            { name: 'account-en', test: accountTexts('en') },
            // The words of things stay with the texts of every screen, also where others read them.
            { name: 'zh', test: commonTexts('zh') },
            { name: 'en', test: commonTexts('en') },
            // Lists have it, and personal settings, which have no list.
            {
              name: 'segmented',
              test: /[\\/]@mantine[\\/]core[\\/]esm[\\/]components[\\/](SegmentedControl|FloatingIndicator)[\\/]/,
            },
            // Lists have them, and screens without a list.
            { name: 'icons', test: icons },
            // What files of rows are made with, and when money ends: small, and together on a screen.
            { name: 'saving', test: saving },
            { name: 'spending', test: spending },
            // Icons of channels and their models.
            { name: 'channel-icons', test: channelIcons },
            { name: 'provider-logo', test: /[\\/]src[\\/]ui[\\/]components[\\/]provider-logo/ },
            // Lists have it, and the dashboard, which is none.
            { name: 'filter-bar', test: filterBar },
            // What every list has, in one file instead of twelve.
            { name: 'lists', test: lists },
          ],
        },
      },
    },
  },
});
