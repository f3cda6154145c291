/**
 * The server build: the command line with its dependencies, and each worker thread as a separate
 * entry, because Vite does not bundle `new Worker(new URL(…))` in SSR builds.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import packageJson from './package.json' with { type: 'json' };
import { buildVersion } from './scripts/build-version.ts';
import { thirdParty } from './scripts/third-party.ts';

/**
 * Entry → source. Chunks and workers are in the same folder, so `new URL('./x.js',
 * import.meta.url)` finds dist/x.js from any chunk.
 */
const entries: Readonly<Record<string, string>> = {
  main: 'src/cli/main.ts',
  'sqlite-worker': 'src/core/sqlite-worker.ts',
  'token-worker': 'src/core/metering/token-worker.ts',
  'bcrypt-worker': 'src/core/accounts/bcrypt-worker.ts',
  'backup-worker': 'src/core/maintenance/backup-worker.ts',
};

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** `charset` leaves the licences in comments as they are. */
const asciiComments: Plugin = {
  name: 'ascii-comments',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk') continue;
      file.code = file.code.replace(
        /[^\0-\x7f]/g,
        (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
    }
  },
};

/**
 * An `import` of one of Node's own modules reads all of its exports, and some are only made when
 * they are read: `node:http` loads a fetch of its own (20 ms), `node:process` opens the standard
 * input. `process.getBuiltinModule` reads none of them.
 */
const builtinsAsTheyAre: Plugin = {
  name: 'builtins-as-they-are',
  renderChunk: (code) =>
    code.replace(
      /^import (?:([\w$]+)(?:, )?)?(?:\* as ([\w$]+)|\{([^}]*)\})? from "(node:[\w/]+)";$/gm,
      (_, whole?: string, all?: string, names?: string, module?: string) =>
        [whole, all, names && `{${names.replace(/ as /g, ': ')}}`]
          .filter((target) => target !== undefined)
          .map((target) => `const ${target} = globalThis.process.getBuiltinModule("${module}");`)
          .join(' '),
    ),
};

/**
 * string-width makes its segmenter and its list of all emoji where it is loaded, which takes 20 ms of
 * every command and start. Here they are made with the first text that needs them; what begins with
 * an emoji begins with a character that is one.
 */
const emojiOnDemand: Plugin = {
  name: 'emoji-on-demand',
  transform(code, id) {
    if (id !== at('node_modules/string-width/index.js')) return undefined;
    const changed = code
      .replace(
        'const segmenter = new Intl.Segmenter();',
        'let segments; const segmenter = { segment: text => (segments ??= new Intl.Segmenter()).segment(text) };',
      )
      .replace(
        /const emojiPrefixRegex = \/(.+)\/v;/,
        (_, source: string) =>
          `let allEmoji; const emojiPrefixRegex = {
            exec: text => /^\\p{Emoji}/u.test(text) ? (allEmoji ??= new RegExp(${JSON.stringify(source)}, 'v')).exec(text) : null,
            test: text => emojiPrefixRegex.exec(text) !== null,
          };`,
      );
    if (changed.split(' ??= ').length !== 3) this.error('string-width is not as it was');
    return changed;
  },
};

/** Deletes the parts of earlier builds. */
const oldParts: Plugin = {
  name: 'old-parts',
  writeBundle({ dir = '' }, bundle) {
    for (const name of readdirSync(dir))
      if (name.startsWith('part-') && !(name in bundle)) rmSync(join(dir, name));
  },
};

export default defineConfig({
  plugins: [
    asciiComments,
    builtinsAsTheyAre,
    emojiOnDemand,
    oldParts,
    thirdParty(at('.'), 'server'),
  ],
  publicDir: false,
  // Excludes React's development code from the bundle.
  define: {
    'process.env.NODE_ENV': '"production"',
    'process.env.DEV': '"false"',
    __TURNPIKE_VERSION__: JSON.stringify(buildVersion(at('.'), packageJson.version)),
  },
  ssr: { noExternal: true, external: ['better-sqlite3', 'pg-native', 'react-devtools-core'] },
  build: {
    ssr: true,
    target: 'node24',
    outDir: 'dist',
    // The console's files are already there.
    emptyOutDir: false,
    minify: false,
    rollupOptions: {
      input: Object.fromEntries(
        Object.entries(entries)
          .filter(([, path]) => existsSync(at(path)))
          .map(([name, path]) => [name, at(path)]),
      ),
      output: {
        entryFileNames: '[name].js',
        // A gateway whose files are replaced while it runs must not load parts of another version.
        chunkFileNames: 'part-[name]-[hash].js',
        format: 'es',
        // V8 keeps the text of what it has loaded, and one character above ASCII makes all of a
        // file take two bytes per character.
        charset: 'ascii',
        comments: { legal: true, annotation: false, jsdoc: false },
      },
    },
  },
});
